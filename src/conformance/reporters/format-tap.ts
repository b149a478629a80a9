import type { Broken, CaseReport } from '../suite/report.js'
import { toPrintable, toPrintableLine } from './words/printable.js'
import { formatLevel, formatTotals, type ReportDigest } from './digest/digest.js'

/** The report as TAP 14. A fail or an error is `not ok`; a warn or an info is a TODO. */
export function formatTap(digest: ReportDigest): string {
  const { target, title, cases, totals, texts, diagnosis } = digest
  const comments = [
    `${toPrintableLine(target)}, edition ${title}: ${formatTotals(totals)}`,
    ...texts.map(([name, counts]) => `${name}: ${formatTotals(counts)}`),
  ].map((line) => `# ${line}`)
  const head = diagnosis === undefined ? [] : [`# ${toPrintableLine(diagnosis)}`]
  const points = cases.map((one, at) => `${testPoint(one, at + 1)}${diagnostics(one)}`)
  return `${['TAP version 14', ...head, `1..${cases.length}`, ...points, ...comments].join('\n')}\n`
}

function testPoint({ id, title, verdict, message, known }: CaseReport, number: number): string {
  const isOk = verdict === 'pass' || verdict === 'skip'
  const point = `${isOk ? 'ok' : 'not ok'} ${number} - ${describe(`${id}: ${title}`)}`
  if (verdict === 'skip') return `${point} # SKIP ${describe(message)}`
  if (verdict === 'warn') return `${point} # TODO breaks a SHOULD only`
  if (verdict !== 'info') return point
  const why = known === undefined ? 'for information' : `known failure: ${describe(known)}`
  return `${point} # TODO ${why}`
}

/** A number sign would begin a directive. */
function describe(text: string): string {
  return toPrintableLine(text).replaceAll(/[\\#]/g, String.raw`\$&`)
}

function diagnostics(one: CaseReport): string {
  if (one.verdict === 'pass' || one.verdict === 'skip') return ''
  const { spec, evidence, also = [] } = one
  const entries = [
    ['message', one.message],
    ['severity', one.verdict],
    ['level', spec ? formatLevel(spec) : one.level],
    ['statements', one.statements.join(' ')],
    ['sentence', spec?.quote],
    ['section', spec?.section],
    ['source', spec?.source],
    ['also', also.map(describeBroken).join('\n')],
    ['sent', evidence?.sent],
    ['received', evidence?.received],
  ] as const
  const lines = entries.flatMap(([name, value]) => (value ? [`${name}: ${toYaml(value)}`] : []))
  return indent(['', '---', ...lines, '...'].join('\n'))
}

function describeBroken({ verdict, message, spec }: Broken): string {
  return `${verdict}: ${message}${spec ? ` (${formatLevel(spec)} ${spec.statement})` : ''}`
}

/** A JSON string is YAML too; text of several lines reads better as a block. */
function toYaml(text: string): string {
  const printable = toPrintable(text)
  if (!printable.includes('\n')) return JSON.stringify(printable)
  return `|2-${indent(`\n${printable}`)}`
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
