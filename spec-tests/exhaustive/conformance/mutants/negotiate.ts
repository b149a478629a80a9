import type { Has } from './defects.js'
import { linesOf, type FieldLine } from './message.js'
import { parseMediaType, type MediaType } from './media-type.js'

/** What the server can answer in; html only by a defect. */
export type Format = 'graphql' | 'json' | 'html'

interface Range extends MediaType {
  readonly q: number
}

/** The media types by format, the preferred first. */
const mediaTypes: readonly (readonly [Format, string])[] = [
  ['graphql', 'application/graphql-response+json'],
  ['json', 'application/json'],
]

/** Chooses by Accept (RFC 9110 section 12.5.1); undefined where nothing is acceptable. */
export function negotiate(headers: readonly FieldLine[], has: Has): Format | undefined {
  const lines = linesOf(headers, 'accept')
  const accept = has('accept-second-line-ignored') ? lines[0] : lines.join(', ')
  if (lines.length === 0 && has('accept-missing-refused')) return undefined
  if (accept === undefined || accept.trim() === '' || has('accept-ignored')) return 'graphql'
  if (has('html-beats-json') && accept.includes('text/html')) return 'html'
  const ranges = parseRanges(accept, has)
  if (has('q-values-ignored')) return firstNamed(ranges)
  const weighed = mediaTypes
    .filter(([format]) => !(format === 'graphql' && has('graphql-response-unknown')))
    .filter(([format]) => !(format === 'json' && has('json-unknown')))
    .map(([format, type]) => ({ format, q: weigh(type, ranges, has) }))
    .filter(({ q }) => q !== undefined && (q > 0 || has('q-zero-accepted')))
  const [best] = weighed.toSorted((a, b) => (b.q ?? 0) - (a.q ?? 0))
  return best?.format
}

function firstNamed(ranges: readonly Range[]): Format | undefined {
  for (const { essence, q } of ranges) {
    const named = mediaTypes.find(([, type]) => q > 0 && covers(essence, type))
    if (named !== undefined) return named[0]
  }
  return undefined
}

function parseRanges(accept: string, has: Has): readonly Range[] {
  const members = has('accept-split-at-quoted-commas')
    ? accept.split(',')
    : (accept.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [])
  if (has('accept-with-empty-members-refused') && /,\s*(?:,|$)/.test(accept)) return []
  return members.flatMap((member): Range[] => {
    const text = has('accept-white-space-kept') ? member : member.trim()
    const range = parseMediaType(text)
    if (range === undefined || text !== text.trim()) return []
    if (has('accept-white-space-kept') && /\s/.test(text)) return []
    if (has('accept-case-sensitive') && text !== text.toLowerCase()) return []
    if (has('wildcard-unknown') && range.essence === '*/*') return []
    if (has('subtype-wildcard-unknown') && range.essence === 'application/*') return []
    const parameters = new Map(range.parameters)
    parameters.delete('q')
    return [{ essence: range.essence, parameters, q: toWeight(range.parameters.get('q')) }]
  })
}

function toWeight(q: string | undefined): number {
  return q !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 1
}

/** The weight that the most specific range gives a type. */
function weigh(type: string, ranges: readonly Range[], has: Has): number | undefined {
  const matching = ranges.filter(
    (range) => covers(range.essence, type) && admits(range.parameters, has),
  )
  if (has('specificity-ignored')) {
    return matching.length === 0 ? undefined : Math.max(...matching.map(({ q }) => q))
  }
  return matching.toSorted((a, b) => specificity(b) - specificity(a))[0]?.q
}

function covers(range: string, type: string): boolean {
  return range === type || range === '*/*' || range === 'application/*'
}

/** All that is answered is in UTF-8 and has no other parameter. */
function admits(parameters: ReadonlyMap<string, string>, has: Has): boolean {
  if (has('accept-with-parameters-unmatched')) return parameters.size === 0
  return [...parameters].every(
    ([name, value]) => name === 'charset' && value.toLowerCase() === 'utf-8',
  )
}

function specificity({ essence, parameters }: Range): number {
  return (essence === '*/*' ? 0 : essence.endsWith('/*') ? 10 : 20) + parameters.size
}
