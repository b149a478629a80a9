import type { CaseReport, Report, Verdict } from '../report.js'
import { groupBySuite, type SuiteReport } from './group-by-suite.js'
import { toPlainSentence } from './plain-sentence.js'
import { toPrintable, toPrintableLine } from './printable.js'
import { byUrgency, formatConclusion, formatDuration, formatTotals } from './summary.js'
import { wrap } from './wrap.js'

/** How the report for a terminal is set. */
export interface PrettyOptions {
  /** Default: false. */
  readonly colour?: boolean
  /** Names the cases that pass, and shows the bytes of both sides where something did not hold. */
  readonly verbose?: boolean
}

/** The report for a terminal. */
export function formatPretty(report: Report, options: PrettyOptions = {}): string {
  const { target, edition, suite, durationMs, cases } = report
  const duration = formatDuration(durationMs)
  const paint = options.colour === true ? paintText : keepText
  const sections = [
    `${toPrintableLine(target)}, edition ${edition}, suite ${suite}, ${duration}`,
    ...groupBySuite(cases).map((group) => formatSuite(group, options, paint)),
    [paint('bold', formatTotals(report.totals)), formatConclusion(report)].join('\n'),
  ]
  return `${sections.join('\n\n')}\n`
}

type Style = Verdict | 'bold' | 'dim'
type Paint = (style: Style, text: string) => string

const codes: { readonly [style in Style]: number } = {
  pass: 32,
  fail: 31,
  error: 35,
  warn: 33,
  info: 36,
  skip: 2,
  bold: 1,
  dim: 2,
}

function paintText(style: Style, text: string): string {
  return `\u001b[${codes[style]}m${text}\u001b[0m`
}

function keepText(_: Style, text: string): string {
  return text
}

function formatSuite(
  { name, totals, cases }: SuiteReport,
  { verbose = false }: PrettyOptions,
  paint: Paint,
): string {
  const of = (verdict: Verdict): readonly CaseReport[] =>
    cases.filter((one) => one.verdict === verdict)
  const told = byUrgency.filter((verdict) => verdict !== 'skip' && (verdict !== 'pass' || verbose))
  return [
    `${paint('bold', toPrintableLine(name))}  ${paint('dim', formatTotals(totals))}`,
    ...told.flatMap(of).flatMap((one) => formatCase(one, verbose, paint)),
    ...formatSkipped(of('skip'), verbose, paint),
  ].join('\n')
}

const width = 96

function formatCase(one: CaseReport, verbose: boolean, paint: Paint): readonly string[] {
  const { verdict, message, spec, known, evidence } = one
  const word = paint(verdict, verdict.toUpperCase().padEnd(5))
  const lines = [`  ${word}  ${toPrintableLine(one.id)}  ${toPrintableLine(one.title)}`]
  if (verdict === 'pass') return lines
  const tell = (text: string, dim = false): void => {
    for (const line of wrap(toPrintableLine(text), width - 9)) {
      lines.push(`         ${dim ? paint('dim', line) : line}`)
    }
  }
  tell(message)
  if (known !== undefined) tell(`known failure: ${known}`)
  if (spec !== null) {
    tell(`${spec.level} ${spec.statement}: "${toPlainSentence(spec.quote)}"`, true)
    tell(`${spec.section}, ${spec.source}`, true)
  }
  if (verbose && evidence !== undefined) {
    lines.push(...quote('>', evidence.sent, paint), ...quote('<', evidence.received, paint))
  }
  return lines
}

function quote(mark: string, text: string, paint: Paint): readonly string[] {
  const lines = toPrintable(text.trimEnd()).split('\n')
  return lines.map((line) => `         ${paint('dim', mark)} ${line}`.trimEnd())
}

/** Many are skipped for one reason. */
function formatSkipped(
  cases: readonly CaseReport[],
  verbose: boolean,
  paint: Paint,
): readonly string[] {
  const reasons = new Map<string, string[]>()
  for (const { message, id } of cases) {
    reasons.set(message, [...(reasons.get(message) ?? []), id])
  }
  const lines: string[] = []
  for (const [reason, ids] of reasons) {
    lines.push(`  ${paint('skip', `SKIP   ${ids.length}: ${toPrintableLine(reason)}`)}`)
    if (verbose) for (const id of ids) lines.push(`         ${toPrintableLine(id)}`)
  }
  return lines
}
