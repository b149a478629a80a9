import { toPrintable } from '../../../conformance/reporters/words/printable.js'
import { formatRule } from '../rules/format-rule.js'
import type { ExplainedExchange } from './explain-exchange.js'
import type { Touched } from './judge-exchange.js'

/** An exchange with a server, and what it breaks and keeps, for a terminal. */
export function formatExchange(explained: ExplainedExchange): string {
  const { sent, received, touched, aboutStatus, edition, status } = explained
  const broken = touched.filter(({ verdict }) => verdict !== 'pass')
  const kept = touched.filter(({ verdict }) => verdict === 'pass')
  const listed = new Set(touched.map(({ rule }) => rule.statement))
  const more = aboutStatus.filter(({ statement }) => !listed.has(statement))
  const sections = [
    mark('> ', sent),
    mark('< ', received),
    [
      broken.length === 0
        ? `Breaks nothing that this exchange shows of edition ${edition}.`
        : `Breaks, by edition ${edition}:`,
      ...broken.flatMap(formatBroken),
    ],
    kept.length === 0 ? [] : ['Keeps:', ...kept.flatMap(({ rule }) => indent(formatRule(rule)))],
    more.length === 0
      ? []
      : [`Also about ${status}:`, ...more.flatMap((rule) => indent(formatRule(rule)))],
  ]
  const filled = sections.filter((lines) => lines.length > 0)
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function mark(sign: string, text: string): readonly string[] {
  return toPrintable(text)
    .trimEnd()
    .split('\n')
    .map((line) => `${sign}${line}`.trimEnd())
}

function formatBroken({ rule, verdict, message = '' }: Touched): readonly string[] {
  return indent([`${verdict}: ${toPrintable(message)}`, ...indent(formatRule(rule))])
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}
