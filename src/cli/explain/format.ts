import { toPrintable } from '../../conformance/reporters/words/printable.js'
import { countOf, wrapText } from '../../base/prose.js'
import { describeTerm, formatAdvice } from '../process/layout.js'
import {
  joinSections,
  paint,
  readableColumns,
  underTitle,
  type Lines,
  type Screen,
} from '../process/terminal.js'
import type { CodeRow } from './codes.js'
import type { ExplainedRoad } from './describe-road.js'
import type { ExplainedExchange } from './explain-exchange.js'
import type { ExplainedTopic } from './explain-topic.js'
import { printable, type Rule } from './rules.js'

export function formatRoad(road: ExplainedRoad, screen: Screen): string {
  const { answer, request, edition, steps, response, bugs } = road
  const { message, cause, advice, rules } = answer
  const { columns } = screen
  const cited = rules[0] === undefined ? '' : ` (${rules[0].statement})`
  const width = Math.max(...steps.map(({ step }) => step.length)) + 1
  const asked = printable(`${request.method} ${request.target}, edition ${edition}`)
  const ran = steps.flatMap(({ step, verdict, lookedAt }) => {
    const term = `${step.padEnd(width)} ${verdict}`
    const style = verdict === 'passed' ? 'dim' : verdict === 'responded' ? 'green' : 'red'
    const [first = '', ...more] = describeTerm(term, lookedAt, width + 10, columns)
    const shown = first.trimEnd().replace(verdict, () => paint(screen, style, verdict))
    return [shown].concat(more.filter((line) => line.trim() !== ''))
  })
  const body = printable(response.body ?? '(a stream)', 1000)
  return joinSections([
    [
      ...headline(screen, response.status, `${message}${cited}`),
      ...formatAdvice(cause, advice, columns, '  '),
    ],
    bugs.flatMap((bug) => wrapText(`Bug: ${bug}`, columns, '', '  ')),
    rules.flatMap((rule) => formatRule(rule, columns, '')),
    underTitle(screen, asked, formatHeaders(request.headers, columns)),
    underTitle(screen, 'Steps', ran),
    underTitle(screen, `HTTP ${response.status}`, formatHeaders(response.headers, columns)),
    response.body === '' ? [] : wrapText(body, columns, ''),
  ])
}

function headline(screen: Screen, status: number | undefined, text: string): Lines {
  const style = status === undefined || status >= 400 ? 'red' : status === 294 ? 'yellow' : 'green'
  const lines = wrapText(`${status ?? 'No response'}: ${text}`, screen.columns, '', '  ')
  return lines.map((line) => paint(screen, style, line))
}

function formatHeaders(headers: ExplainedRoad['request']['headers'], columns: number): Lines {
  return headers.flatMap(([name, value]) =>
    wrapText(printable(`${name}: ${value}`, 400), columns, '  ', '    '),
  )
}

function formatRule({ statement, level, summary, link }: Rule, columns: number, margin = '  ') {
  const text = `${statement} ${level}: ${summary}`
  return [...wrapText(text, columns, margin, `${margin}  `), `${margin}  ${link}`]
}

export function formatTopic(topic: ExplainedTopic, screen: Screen): string {
  const { title, meaning, advice, reasons, rules } = topic
  const columns = Math.min(screen.columns, readableColumns)
  const ofReasons = reasons.flatMap((reason) => formatReason(reason, columns))
  const sentences = rules.flatMap((rule) => formatSentence(rule, columns))
  return joinSections([
    [paint(screen, 'bold', title), ...formatAdvice(meaning, advice, columns, '  ')],
    underTitle(screen, 'Reasons', ofReasons),
    underTitle(screen, 'What the specification says', sentences),
  ])
}

function formatReason({ code, status, cause, advice, by }: CodeRow, columns: number): Lines {
  const title = `${status === undefined ? '' : `${status} `}${code} (${by})`
  return [...wrapText(title, columns, '  '), ...formatAdvice(cause, advice, columns, '    ')]
}

function formatSentence({ statement, level, sentence, section, link }: Rule, columns: number) {
  const text = wrapText(sentence.replaceAll(/\s+/g, ' '), columns, '    ')
  return [...wrapText(`${statement} ${level}, ${section}`, columns, '  '), ...text, `    ${link}`]
}

/** What was checked: the body too, or the head alone. */
const scopes = {
  body: 'Checked: the status, the headers and the format of the body. Not checked: whether the request is valid and the data right, which only the schema can tell.',
  head: 'Checked: the status and the headers. Not checked: the body, which is not a single GraphQL response.',
} as const

function conclude({ touched, edition }: ExplainedExchange, broken: ExplainedExchange['touched']) {
  const [first, ...more] = broken
  if (touched.length === 0) return 'nothing could be checked.'
  if (first === undefined) {
    return `breaks none of the ${countOf(touched.length, 'rule')} of edition ${edition} that were checked.`
  }
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  return `breaks ${first.rule.statement}${others} of edition ${edition}.`
}

/** An exchange with a server: what it breaks, its bytes, and what it keeps. */
export function formatExchange(explained: ExplainedExchange, screen: Screen): string {
  const { sent, received, touched, aboutStatus, status } = explained
  const { columns } = screen
  const format = (rules: readonly Rule[]) => rules.flatMap((rule) => formatRule(rule, columns))
  const broken = touched.filter(({ verdict }) => verdict !== 'pass')
  const kept = touched.filter(({ verdict }) => verdict === 'pass').map(({ rule }) => rule)
  const listed = new Set(touched.map(({ rule }) => rule.statement))
  const more = aboutStatus.filter(({ statement }) => !listed.has(statement))
  // The rule that every GraphQL response is held to, and nothing else.
  const isRead = listed.has('GS-7')
  return joinSections([
    [
      ...headline(screen, status, conclude(explained, broken)),
      ...broken.flatMap(({ rule, verdict, message = '' }) => {
        const found = wrapText(`${verdict}: ${toPrintable(message)}`, columns, '  ', '    ')
        return found.concat(formatRule(rule, columns, '    '))
      }),
      ...(touched.length === 0 ? [] : wrapText(scopes[isRead ? 'body' : 'head'], columns, '  ')),
    ],
    mark('> ', sent),
    mark('< ', received),
    underTitle(screen, 'Keeps', format(kept)),
    underTitle(screen, `Also about ${status}`, format(more)),
  ])
}

function mark(sign: string, text: string): Lines {
  const lines = toPrintable(text).trimEnd().split('\n')
  return lines.map((line) => `${sign}${line}`.trimEnd())
}
