import type { AcceptRange } from '../../http/accept.js'
import type { IncrementalFormat } from '../../graphql/execute/parts.js'

/** How a result is delivered in parts. */
export interface IncrementalEncoding {
  readonly type: IncrementalType
  readonly format: IncrementalFormat
}

export type IncrementalType = 'multipart/mixed' | 'text/event-stream' | 'application/jsonl'

/** Of those that a client accepts alike, the first is chosen. */
export const incrementalTypes: readonly IncrementalType[] = [
  'multipart/mixed',
  'text/event-stream',
  'application/jsonl',
]
const formats: readonly IncrementalFormat[] = ['v0.2', '20220824']

/**
 * Chooses the encoding of results in parts. The client must name it, since one that accepts anything can
 * rarely read several results, and must not prefer JSON: many list all types that they can read alike.
 */
export function chooseIncremental(
  ranges: readonly AcceptRange[],
  jsonQuality: number,
): IncrementalEncoding | undefined {
  let best: IncrementalEncoding | undefined
  let bestQuality = 0
  for (const type of incrementalTypes) {
    for (const format of formats) {
      const quality = incrementalQuality(ranges, type, format)
      if (quality <= bestQuality) continue
      best = { type, format }
      bestQuality = quality
    }
  }
  return bestQuality >= jsonQuality ? best : undefined
}

/** Whether a range names one of the types: a wildcard does not. */
export function namesParts({ type, subtype }: AcceptRange): boolean {
  return (incrementalTypes as readonly string[]).includes(`${type}/${subtype}`)
}

/** The weight of a type with a format; 0 if no range names it. */
export function incrementalQuality(
  ranges: readonly AcceptRange[],
  type: IncrementalType,
  format: IncrementalFormat,
): number {
  const matching = ranges.filter(
    (range) => `${range.type}/${range.subtype}` === type && formatOf(range) === format,
  )
  return Math.max(0, ...matching.map(({ quality }) => quality))
}

/** The format that the parameters of a range ask for; undefined if one of them is not known. */
function formatOf({ parameters, type }: AcceptRange): IncrementalFormat | undefined {
  let format: IncrementalFormat = 'v0.2'
  let specs = 0
  for (const [name, value] of parameters) {
    if (name === 'incrementalspec' && value === 'v0.2') specs += 1
    else if (name === 'deferspec' && value === '20220824') {
      specs += 1
      format = value
    } else if (!isIgnored(name, value, type)) return undefined
  }
  return specs > 1 ? undefined : format
}

/** The boundary is ours to choose, and texts are UTF-8. */
function isIgnored(name: string, value: string, type: string): boolean {
  return type === 'multipart' ? name === 'boundary' : name === 'charset' && /^utf-8$/i.test(value)
}
