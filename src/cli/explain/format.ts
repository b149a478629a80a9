import { toPrintable } from '../../conformance/reporters/words/printable.js'
import {
  describeTerm,
  joinSections,
  paint,
  readableColumns,
  underTitle,
  wrapText,
  type Lines,
  type Screen,
} from '../process/terminal.js'
import type { CodeRow } from './codes.js'
import type { ExplainedRoad } from './describe-road.js'
import type { ExplainedExchange } from './explain-exchange.js'
import type { ExplainedTopic } from './explain-topic.js'
import { printable, type Rule } from './rules.js'

/** A road for a terminal: its answer, then its steps. */
export function formatRoad(road: ExplainedRoad, screen: Screen): string {
  const { answer, request, edition, steps, response, bugs } = road
  const { message, cause, advice, rules } = answer
  const { columns } = screen
  const cited = rules[0] === undefined ? '' : ` (${rules[0].statement})`
  const width = Math.max(...steps.map(({ step }) => step.length)) + 1
  const asked = printable(`${request.method} ${request.target}, edition ${edition}`)
  return joinSections([
    [
      ...headline(screen, response.status, `${message}${cited}`),
      ...(cause === undefined ? [] : wrapText(cause, columns, '  ')),
      ...(advice === undefined ? [] : formatAdvice(advice, columns, '  ')),
    ],
    bugs.flatMap((bug) => wrapText(`Bug: ${bug}`, columns, '', '  ')),
    rules.flatMap((rule) => formatRule(rule, columns, '')),
    underTitle(screen, asked, formatHeaders(request.headers, columns)),
    underTitle(
      screen,
      'Steps',
      steps.flatMap(({ step, verdict, lookedAt }) => {
        const term = `${step.padEnd(width)} ${verdict}`
        const style = verdict === 'passed' ? 'dim' : verdict === 'responded' ? 'green' : 'red'
        const [first = '', ...more] = describeTerm(term, lookedAt, width + 10, columns)
        const shown = first.trimEnd().replace(verdict, () => paint(screen, style, verdict))
        return [shown].concat(more.filter((line) => line.trim() !== ''))
      }),
    ),
    [
      ...underTitle(screen, `HTTP ${response.status}`, formatHeaders(response.headers, columns)),
      ...(response.body === ''
        ? []
        : ['', ...wrapText(printable(response.body ?? '(a stream)', 1000), columns, '')]),
    ],
  ])
}

/** The answer in the colour of its status. */
function headline(screen: Screen, status: number | undefined, text: string): Lines {
  const style = status === undefined || status >= 400 ? 'red' : status === 294 ? 'yellow' : 'green'
  const lines = wrapText(`${status ?? 'No response'}: ${text}`, screen.columns, '', '  ')
  return lines.map((line) => paint(screen, style, line))
}

function formatAdvice(advice: string, columns: number, margin: string): Lines {
  return wrapText(advice, columns, `${margin}-> `, `${margin}   `)
}

function formatHeaders(headers: ExplainedRoad['request']['headers'], columns: number): Lines {
  return headers.flatMap(([name, value]) =>
    wrapText(printable(`${name}: ${value}`, 400), columns, '  ', '    '),
  )
}

/** What a rule says in few words, and where. */
function formatRule({ statement, level, summary, link }: Rule, columns: number, margin = '  ') {
  const text = `${statement} ${level}: ${summary}`
  return [...wrapText(text, columns, margin, `${margin}  `), `${margin}  ${link}`]
}

/** A page about a status or a code, for a terminal. */
export function formatTopic(topic: ExplainedTopic, screen: Screen): string {
  const { title, meaning, advice, reasons, rules } = topic
  const columns = Math.min(screen.columns, readableColumns)
  return joinSections([
    [
      paint(screen, 'bold', title),
      ...(meaning === undefined ? [] : wrapText(meaning, columns, '  ')),
      ...(advice === undefined ? [] : formatAdvice(advice, columns, '  ')),
    ],
    underTitle(
      screen,
      'Reasons',
      reasons.flatMap((reason) => formatReason(reason, columns)),
    ),
    underTitle(
      screen,
      'What the specification says',
      rules.flatMap((rule) => formatSentence(rule, columns)),
    ),
  ])
}

function formatReason({ code, status, cause, advice, by }: CodeRow, columns: number): Lines {
  const title = `${status === undefined ? '' : `${status} `}${code} (${by})`
  return [
    ...wrapText(title, columns, '  '),
    ...wrapText(cause, columns, '    '),
    ...formatAdvice(advice, columns, '    '),
  ]
}

function formatSentence({ statement, level, sentence, section, link }: Rule, columns: number) {
  const text = wrapText(sentence.replaceAll(/\s+/g, ' '), columns, '    ')
  return [...wrapText(`${statement} ${level}, ${section}`, columns, '  '), ...text, `    ${link}`]
}

/** An exchange with a server: what it breaks, its bytes, and what it keeps. */
export function formatExchange(explained: ExplainedExchange, screen: Screen): string {
  const { sent, received, touched, aboutStatus, edition, status } = explained
  const { columns } = screen
  const broken = touched.filter(({ verdict }) => verdict !== 'pass')
  const kept = touched.filter(({ verdict }) => verdict === 'pass').map(({ rule }) => rule)
  const listed = new Set(touched.map(({ rule }) => rule.statement))
  const more = aboutStatus.filter(({ statement }) => !listed.has(statement))
  const [count, first] = [broken.length, broken[0]?.rule.statement]
  const fault =
    count === 0
      ? `breaks no rule of edition ${edition} that one exchange can show`
      : `breaks ${first}${count === 1 ? '' : ` and ${count - 1} more`} of edition ${edition}`
  return joinSections([
    [
      ...headline(screen, status, `${fault}.`),
      ...broken.flatMap(({ rule, verdict, message = '' }) =>
        wrapText(`${verdict}: ${toPrintable(message)}`, columns, '  ', '    ').concat(
          formatRule(rule, columns, '    '),
        ),
      ),
    ],
    mark('> ', sent),
    mark('< ', received),
    underTitle(
      screen,
      'Keeps',
      kept.flatMap((rule) => formatRule(rule, columns)),
    ),
    underTitle(
      screen,
      `Also about ${status}`,
      more.flatMap((rule) => formatRule(rule, columns)),
    ),
  ])
}

function mark(sign: string, text: string): Lines {
  const lines = toPrintable(text).trimEnd().split('\n')
  return lines.map((line) => `${sign}${line}`.trimEnd())
}
