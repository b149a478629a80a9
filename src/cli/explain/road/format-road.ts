import type { Offer } from './offers.js'
import { printable } from '../rules/printable.js'
import type { Road, Step } from './road.js'
import { formatRule } from '../rules/format-rule.js'

/** A road as a table for a terminal. */
export function formatRoad(road: Road): string {
  const { request, edition, steps, notReached, response, decision, bugs } = road
  const width = Math.max(...steps.map(({ stage }) => stage.length), 5) + 2
  const sections = [
    [
      `${printable(`${request.method} ${request.target}`)}, edition ${edition}`,
      ...formatHeaders(request.headers),
    ],
    [
      `${'STAGE'.padEnd(width)}${'VERDICT'.padEnd(11)}LOOKED AT`,
      ...steps.flatMap((step) => formatStep(step, width)),
    ],
    notReached.length === 0 ? [] : [`Not reached: ${notReached.join(', ')}.`],
    bugs.map((bug) => `Bug: ${bug}`),
    [
      `${response.status} by ${decision.row} (${decision.file})`,
      `  ${decision.says}`,
      ...formatHeaders(response.headers),
      '',
      ...formatBody(response.body),
    ],
  ]
  const filled = sections.filter((lines) => lines.length > 0)
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** The lines of headers, indented. */
function formatHeaders(headers: Road['request']['headers']): readonly string[] {
  return headers.map(([name, value]) => `  ${printable(`${name}: ${value}`, 400)}`)
}

function formatBody(body: string | undefined): readonly string[] {
  if (body === undefined) return ['  (a stream)']
  return body === '' ? [] : [`  ${printable(body, 1000)}`]
}

function formatStep(
  { stage, verdict, lookedAt, why, advice, offers = [], rules }: Step,
  width: number,
): readonly string[] {
  const indent = ' '.repeat(width)
  return [
    `${stage.padEnd(width)}${verdict.padEnd(11)}${lookedAt}`,
    ...(why === undefined ? [] : [`${indent}why:    ${why}`]),
    ...(advice === undefined ? [] : [`${indent}advice: ${advice}`]),
    ...offers.map((offer) => `${indent}${formatOffer(offer)}`),
    ...rules.flatMap((rule) => formatRule(rule).map((line) => `${indent}${line}`)),
  ]
}

function formatOffer({ type, quality, range, specificity, isChosen }: Offer): string {
  const mark = isChosen ? '*' : ' '
  const by =
    range === undefined
      ? quality === 0
        ? 'no range matches'
        : 'no Accept: any type'
      : `by ${range}, specificity ${specificity}`
  return `${mark} ${type.padEnd(33)} q=${String(quality).padEnd(5)} ${by}`
}
