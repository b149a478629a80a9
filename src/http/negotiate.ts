import { parseAccept, type AcceptRange } from './accept.js'
import { parseMediaType } from './media-type.js'

/** How an `Accept` field rates one media type. */
export interface Preference {
  /** 0 if no range matches, or if the matching one has q=0. */
  readonly quality: number
  /** Whether a range matches the type with q=0, unlike a type that no range matches. */
  readonly refused: boolean
}

/** Rates `type/subtype; charset=utf-8` by the most specific range that matches it. */
export function preferenceFor(
  ranges: readonly AcceptRange[],
  type: string,
  subtype: string,
): Preference {
  const best = findRange(ranges, type, subtype)
  if (best === undefined) return { quality: 0, refused: false }
  return { quality: best.quality, refused: best.quality === 0 }
}

/** The range that rates `type/subtype; charset=utf-8`; undefined if none matches it. */
export function findRange(
  ranges: readonly AcceptRange[],
  type: string,
  subtype: string,
): AcceptRange | undefined {
  let best: AcceptRange | undefined
  let bestRank = -1
  for (const range of ranges) {
    const rank = specificity(range, type, subtype)
    // Of equally specific ranges, the highest quality counts: a client that lists a type twice wants it.
    if (rank > bestRank || (rank === bestRank && rank >= 0 && range.quality > best!.quality)) {
      best = range
      bestRank = rank
    }
  }
  return best
}

/**
 * The media type that an `Accept` field prefers, the first of several with the same rating; undefined if it
 * accepts none. Without the field, or with an empty one, any is acceptable (RFC 9110 section 12.5.1).
 */
export function chooseType<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  const ranges = parseAccept(accept)
  if (ranges === undefined) return types[0]
  let best: Type | undefined
  let bestQuality = 0
  for (const text of types) {
    const { type = '', subtype = '' } = parseMediaType(text) ?? {}
    const { quality } = preferenceFor(ranges, type, subtype)
    if (quality > bestQuality) {
      best = text
      bestQuality = quality
    }
  }
  return best
}

/** RFC 9110 section 12.5.1: more specific ranges take precedence. -1 if the range does not match. */
function specificity(range: AcceptRange, type: string, subtype: string): number {
  if (range.type === '*') return range.parameters.every(isUtf8) ? range.parameters.length : -1
  if (range.type !== type) return -1
  if (range.subtype !== '*' && range.subtype !== subtype) return -1
  if (!range.parameters.every(isUtf8)) return -1
  return (range.subtype === '*' ? 100 : 200) + range.parameters.length
}

/** The only parameter of the types that we serve; a range with any other parameter cannot match. */
function isUtf8([name, value]: readonly [string, string]): boolean {
  return name === 'charset' && value.toLowerCase() === 'utf-8'
}
