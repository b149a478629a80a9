import { titleOf } from '../suite/editions.js'
import type { CaseReport, Report, Verdict } from '../suite/report.js'
import {
  groupBy,
  groupBySuite,
  groupFindings,
  groupHabits,
  type FindingGroup,
  type Group,
} from './digest/group.js'
import { toPlainSentence } from './words/plain-sentence.js'
import { toPrintable, toPrintableLine } from './words/printable.js'
import {
  byUrgency,
  count,
  formatConclusion,
  formatDuration,
  formatLevel,
  formatTotals,
  layersOf,
} from './digest/summary.js'

/** Options of the report for a terminal. */
export interface PrettyOptions {
  /** Default: false. */
  readonly colour?: boolean
  /** Lists passed cases, and shows the request and the response of each finding. */
  readonly verbose?: boolean
}

/** The report for a terminal. */
export function formatPretty(report: Report, options: PrettyOptions = {}): string {
  const { target, edition, suite, durationMs, diagnosis, cases } = report
  const duration = formatDuration(durationMs)
  const paint = options.colour === true ? paintText : keepText
  const sections = [
    `${toPrintableLine(target)}, edition ${titleOf(edition)}, suite ${suite}, ${duration}`,
    ...(diagnosis === undefined ? [] : [paint('bold', toPrintableLine(diagnosis))]),
    ...formatFindings(cases, options, paint),
    groupBySuite(cases)
      .map(({ name, totals }) => {
        return `${paint('bold', toPrintableLine(name))}  ${paint('dim', formatTotals(totals))}`
      })
      .join('\n'),
    [
      paint('bold', formatTotals(report.totals)),
      ...formatLayers(report),
      formatConclusion(report),
    ].join('\n'),
  ]
  return `${sections.join('\n\n')}\n`
}

/** Totals by text: the server's author may be responsible for one, a framework or proxy for another. */
function formatLayers(report: Report): readonly string[] {
  const layers = layersOf(report)
  const width = Math.max(0, ...layers.map(([name]) => name.length))
  return layers.map(([name, totals]) => `  ${name.padEnd(width)}  ${formatTotals(totals)}`)
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

/** The findings, most urgent first; `verbose` lists each case separately. */
function formatFindings(
  cases: readonly CaseReport[],
  { verbose = false }: PrettyOptions,
  paint: Paint,
): readonly string[] {
  const shownVerdicts = byUrgency.filter(
    (verdict) => verdict !== 'skip' && (verdict !== 'pass' || verbose),
  )
  const of = (verdict: Verdict): readonly CaseReport[] =>
    cases.filter((one) => one.verdict === verdict)
  const findings = shownVerdicts.flatMap(of)
  const groups = verbose
    ? findings.map((first) => [{ first, others: [] }] as const)
    : groupHabits(groupFindings(findings))
  return [
    ...groups.map((habit) => formatHabit(habit, verbose, paint).join('\n')),
    formatSkipped(of('skip'), verbose, paint).join('\n'),
  ].filter((section) => section !== '')
}

/** In columns, with the indent. */
const maxWidth = 96

/** How many cases of a group are listed without `verbose`. */
const namedCases = 5

/** The cases that break a sentence, by what was wrong with each, and the sentence once. */
function formatHabit(
  [first, ...more]: Group<FindingGroup>,
  verbose: boolean,
  paint: Paint,
): readonly string[] {
  const { id, verdict, spec, evidence } = first.first
  const word = paint(verdict, verdict.toUpperCase().padEnd(5))
  const [name = '', ...rest] = formatFinding(first)
  const lines = [`  ${word}  ${name}`, ...more.flatMap(formatFinding).map(indent)]
  lines.splice(1, 0, ...rest.map(indent))
  if (verdict === 'pass') return lines.slice(0, 1)
  if (spec !== null) {
    const sentence = `${formatLevel(spec)} ${spec.statement}: "${toPlainSentence(spec.quote)}"`
    for (const text of [sentence, `${spec.section}, ${spec.source}`]) {
      lines.push(...wrapText(text).map((line) => indent(paint('dim', line))))
    }
  }
  if (evidence !== undefined) {
    const command = evidence.command ?? `graphwire conform URL --case ${id} --verbose`
    lines.push(indent(`${paint('dim', '$')} ${toPrintableLine(command)}`))
  }
  if (verbose && evidence !== undefined) {
    lines.push(...quote('>', evidence.sent, paint), ...quote('<', evidence.received, paint))
  }
  return lines
}

function formatFinding({ first, others }: FindingGroup): readonly string[] {
  const { message, known } = first
  const listed = others.slice(0, namedCases - 1)
  const more = others.length - listed.length
  return [
    nameOf(first),
    ...listed.map(nameOf),
    ...(more > 0 ? [`and ${count(more, 'more case')}: use --verbose to list them`] : []),
    ...wrapText(message),
    ...(known === undefined ? [] : wrapText(`known failure: ${known}`)),
  ]
}

function wrapText(text: string): readonly string[] {
  return wrap(toPrintableLine(text), maxWidth - 9)
}

function indent(line: string): string {
  return `         ${line}`
}

function nameOf({ id, title }: CaseReport): string {
  return `${toPrintableLine(id)}  ${toPrintableLine(title)}`
}

function quote(mark: string, text: string, paint: Paint): readonly string[] {
  const lines = toPrintable(text.trimEnd()).split('\n')
  return lines.map((line) => `         ${paint('dim', mark)} ${line}`.trimEnd())
}

/** By reason, since many cases share one. */
function formatSkipped(
  cases: readonly CaseReport[],
  verbose: boolean,
  paint: Paint,
): readonly string[] {
  return groupBy(cases, ({ message }) => message).flatMap((group) => {
    const reason = `SKIP   ${group.length}: ${toPrintableLine(group[0].message)}`
    const lines = [`  ${paint('skip', reason)}`]
    return verbose ? lines.concat(group.map(({ id }) => indent(toPrintableLine(id)))) : lines
  })
}

/** Breaks text into lines at its spaces, as far as it has any. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  lines.push(line)
  return lines
}
