import { toPrintable } from '../../conformance/reporters/words/printable.js'
import { wrapText } from '../arguments/wrap-text.js'
import type { ExplainedExchange } from './explain-exchange.js'
import type { ExplainedTopic } from './explain-topic.js'
import type { Touched } from './judge-exchange.js'
import type { ExplainedRoad } from './describe-road.js'
import { printable, type Rule } from './rules.js'

/** A road for a terminal: its answer, then its steps as a table. */
export function formatRoad(road: ExplainedRoad): string {
  const { answer, request, edition, steps, response, bugs } = road
  const { message, cause, advice, rules } = answer
  const width = Math.max(...steps.map(({ step }) => step.length)) + 2
  const cited = rules[0] === undefined ? '' : ` (${rules[0].statement})`
  return joinSections([
    [
      `${response.status}: ${message}${cited}`,
      ...(cause === undefined ? [] : [`  ${cause}`]),
      ...(advice === undefined ? [] : [`  -> ${advice}`]),
    ],
    bugs.map((bug) => `Bug: ${bug}`),
    rules.flatMap(formatRule),
    [
      `${printable(`${request.method} ${request.target}`)}, edition ${edition}`,
      ...formatHeaders(request.headers),
    ],
    [
      `${'STEP'.padEnd(width)}${'VERDICT'.padEnd(11)}LOOKED AT`,
      ...steps.map(({ step, verdict, lookedAt }) =>
        `${step.padEnd(width)}${verdict.padEnd(11)}${lookedAt}`.trimEnd(),
      ),
    ],
    [`HTTP ${response.status}`, ...formatHeaders(response.headers)],
    response.body === '' ? [] : [printable(response.body ?? '(a stream)', 1000)],
  ])
}

/** The lines of headers, indented. */
function formatHeaders(headers: ExplainedRoad['request']['headers']): readonly string[] {
  return headers.map(([name, value]) => `  ${printable(`${name}: ${value}`, 400)}`)
}

/** A rule in two lines: what it says, and where. */
function formatRule({ statement, level, summary, link }: Rule): readonly string[] {
  return [`${statement} ${level}: ${summary}`, `  ${link}`]
}

/** A page about a status or a code, for a terminal. */
export function formatTopic({ title, meaning, advice, reasons, rules }: ExplainedTopic): string {
  return joinSections([
    [title],
    meaning === undefined ? [] : wrapText(meaning, '  '),
    advice === undefined ? [] : ['What to do', ...wrapText(advice, '  ')],
    reasons.length === 0 ? [] : ['Reasons', ...reasons.flatMap(formatReason)],
    rules.length === 0 ? [] : ['What the specification says', ...rules.flatMap(formatSentence)],
  ])
}

function formatReason(reason: ExplainedTopic['reasons'][number]): readonly string[] {
  const { code, status, cause, advice, by } = reason
  const title = `  ${status === undefined ? '' : `${status} `}${code} (${by})`
  return [title, ...wrapText(cause, '    '), ...wrapText(`-> ${advice}`, '    ')]
}

function formatSentence({ statement, level, sentence, section, link }: Rule): readonly string[] {
  const text = wrapText(sentence.replaceAll(/\s+/g, ' '), '    ')
  return [`  ${statement} ${level}, ${section}`, ...text, `    ${link}`]
}

/** An exchange with a server, and what it breaks and keeps, for a terminal. */
export function formatExchange(explained: ExplainedExchange): string {
  const { sent, received, touched, aboutStatus, edition, status } = explained
  const broken = touched.filter(({ verdict }) => verdict !== 'pass')
  const kept = touched.filter(({ verdict }) => verdict === 'pass')
  const listed = new Set(touched.map(({ rule }) => rule.statement))
  const more = aboutStatus.filter(({ statement }) => !listed.has(statement))
  return joinSections([
    mark('> ', sent),
    mark('< ', received),
    broken.length === 0
      ? [`Breaks nothing that this exchange shows of edition ${edition}.`]
      : [`Breaks, by edition ${edition}:`, ...broken.flatMap(formatBroken)],
    kept.length === 0 ? [] : ['Keeps:', ...kept.flatMap(({ rule }) => indent(formatRule(rule)))],
    more.length === 0
      ? []
      : [`Also about ${status}:`, ...more.flatMap((rule) => indent(formatRule(rule)))],
  ])
}

function mark(sign: string, text: string): readonly string[] {
  const lines = toPrintable(text).trimEnd().split('\n')
  return lines.map((line) => `${sign}${line}`.trimEnd())
}

function formatBroken({ rule, verdict, message = '' }: Touched): readonly string[] {
  return indent([`${verdict}: ${toPrintable(message)}`, ...indent(formatRule(rule))])
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}

/** Sections with an empty line between them; empty ones are left out. */
function joinSections(sections: readonly (readonly string[])[]): string {
  const filled = sections.filter((lines) => lines.length > 0)
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
