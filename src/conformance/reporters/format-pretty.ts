import { countOf, wrapText } from '../../base/prose.js'
import type { CaseReport, Verdict } from '../suite/report.js'
import {
  findingsOf,
  formatLevel,
  formatTotals,
  groupBy,
  groupHabits,
  type ReportDigest,
  type Group,
  type Habit,
} from './digest/digest.js'
import { toPlainSentence, toPrintable, toPrintableLine } from './words/printable.js'

export interface PrettyOptions {
  /** Default: false. */
  readonly colour?: boolean
  /** Default: 96, which is also the most. */
  readonly columns?: number
  /** Lists passed cases, and shows the request and the response of each finding. */
  readonly verbose?: boolean
}

export function formatPretty(digest: ReportDigest, options: PrettyOptions = {}): string {
  const { target, title, suite, duration, diagnosis, cases, totals } = digest
  const { colour = false, columns = maxWidth, verbose = false } = options
  const paint: Paint = (style, text) => (colour ? `\u001b[${codes[style]}m${text}\u001b[0m` : text)
  const narrow = columns < maxWidth ? columns : Infinity
  const bold = (text: string): readonly string[] =>
    wrap(text, narrow).map((line) => paint('bold', line))
  const width = Math.min(columns, maxWidth) - indent('').length
  const sections = [
    wrap(`${target}, edition ${title}, suite ${suite}, ${duration}`, narrow),
    diagnosis === undefined ? [] : bold(diagnosis),
    ...formatFindings(cases, { paint, verbose, width }),
    digest.suites.flatMap((group) => {
      const name = toPrintableLine(group.name)
      const [shown, ...lines] = beside(name, formatTotals(group.totals), columns)
      return [paint('bold', shown), ...lines.map((line) => paint('dim', line))].join('')
    }),
    [
      ...bold(formatTotals(totals)),
      ...formatLayers(digest, columns),
      ...wrap(digest.conclusion, narrow),
    ],
  ]
  const texts = sections.map((lines) => lines.join('\n'))
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`
}

/** Totals by text: the server's author may be responsible for one, a framework or proxy for another. */
function formatLayers({ texts }: ReportDigest, columns: number): readonly string[] {
  // That of one text is the total, which is the line above.
  if (texts.length < 2) return []
  const width = Math.max(...texts.map(([name]) => name.length))
  return texts.map(([name, totals]) =>
    beside(`  ${name.padEnd(width)}`, formatTotals(totals), columns).join(''),
  )
}

/** A name, and what is beside it, or below it if there is no room. */
function beside(name: string, text: string, columns: number): readonly [string, ...string[]] {
  if (name.length + 2 + text.length <= columns) return [name, `  ${text}`]
  return [name.trimEnd(), ...wrap(text, columns - 4).map((line) => `\n    ${line}`)]
}

type Style = Verdict | 'bold' | 'dim'
type Paint = (style: Style, text: string) => string

/** How a report is shown; the width is that of a text behind its indent. */
interface Look {
  readonly paint: Paint
  readonly verbose: boolean
  readonly width: number
}

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

/** The findings, most urgent first; `verbose` lists each separately. */
function formatFindings(cases: readonly CaseReport[], look: Look): readonly (readonly string[])[] {
  const { paint, verbose, width } = look
  const passed = verbose ? (['pass'] as const) : []
  const findings = findingsOf(cases, ['fail', 'error', 'warn', 'info', ...passed])
  const groups = verbose ? findings.map((one): Habit => [[one]]) : groupHabits(findings)
  // By reason, since many cases share one.
  const skipped = groupBy(findingsOf(cases, ['skip']), ({ message }) => message).flatMap(
    (group) => {
      const [first = '', ...more] = wrap(`${group.length}: ${group[0].message}`, width)
      const rest = more.map((line) => indent(paint('skip', line)))
      const ids = verbose ? group.map(({ id }) => indent(toPrintableLine(id))) : []
      return [`  ${paint('skip', `SKIP   ${first}`)}`].concat(rest, ids)
    },
  )
  return [...groups.map((habit) => formatHabit(habit, look)), skipped]
}

/** In columns, with the indent. */
const maxWidth = 96

/** How many cases of a group are listed without `verbose`. */
const namedCases = 5

/** The cases that break a sentence, by what was wrong with each, and the sentence once. */
function formatHabit(habit: Habit, { paint, verbose, width }: Look): readonly string[] {
  const [[{ id, verdict, spec, evidence }]] = habit
  const word = paint(verdict, verdict.toUpperCase().padEnd(5))
  const [name = '', ...rest] = habit.flatMap((group) => formatFinding(group, width))
  const lines = [`  ${word}  ${name}`, ...rest.map(indent)]
  if (verdict === 'pass') return lines
  if (spec !== null) {
    const sentence = `${formatLevel(spec)} ${spec.statement}: "${toPlainSentence(spec.quote)}"`
    for (const text of [sentence, `${spec.section}, ${spec.source}`]) {
      lines.push(...wrap(text, width).map((line) => indent(paint('dim', line))))
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

function formatFinding([first, ...others]: Group<CaseReport>, width: number): readonly string[] {
  const { message, known } = first
  const listed = others.slice(0, namedCases - 1)
  const more = others.length - listed.length
  return [
    ...formatName(first, width),
    ...listed.flatMap((one) => formatName(one, width)),
    ...(more > 0
      ? wrap(`and ${countOf(more, 'more case')}: use --verbose to list them`, width)
      : []),
    ...(message === '' ? [] : wrap(message, width)),
    ...(known === undefined ? [] : wrap(`known failure: ${known}`, width)),
  ]
}

function indent(line: string): string {
  return `         ${line}`
}

function formatName({ id, title }: CaseReport, width: number): readonly string[] {
  const line = `${toPrintableLine(id)}  ${toPrintableLine(title)}`
  if (line.length <= width) return [line]
  return [...wrap(id, width), ...wrap(title, width - 2).map((part) => `  ${part}`)]
}

function quote(mark: string, text: string, paint: Paint): readonly string[] {
  const lines = toPrintable(text.trimEnd()).split('\n')
  return lines.map((line) => indent(`${paint('dim', mark)} ${line}`.trimEnd()))
}

function wrap(text: string, width: number): readonly string[] {
  return wrapText(toPrintableLine(text), width)
}
