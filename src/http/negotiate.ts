import type { AcceptRange } from './accept.js'

/** What an `Accept` field says of one media type. */
export interface Preference {
  /** 0 where no range matches or the matching one says q=0. */
  readonly quality: number
  /** A range names or covers the type and refuses it, which is more than not naming it. */
  readonly refused: boolean
}

/** How much `type/subtype; charset=utf-8` is wanted, by the most specific range that matches it. */
export function preferenceFor(
  ranges: readonly AcceptRange[],
  type: string,
  subtype: string,
): Preference {
  let best: AcceptRange | undefined
  let bestRank = -1
  for (const range of ranges) {
    const rank = specificity(range, type, subtype)
    // Of equally specific ranges the most willing one counts: a client that lists a type twice wants it.
    if (rank > bestRank || (rank === bestRank && rank >= 0 && range.quality > best!.quality)) {
      best = range
      bestRank = rank
    }
  }
  if (best === undefined) return { quality: 0, refused: false }
  return { quality: best.quality, refused: best.quality === 0 }
}

/** RFC 9110 section 12.5.1: more specific ranges take precedence. -1 where the range does not match. */
function specificity(range: AcceptRange, type: string, subtype: string): number {
  if (range.type === '*') return range.parameters.every(isUtf8) ? range.parameters.length : -1
  if (range.type !== type) return -1
  if (range.subtype !== '*' && range.subtype !== subtype) return -1
  if (!range.parameters.every(isUtf8)) return -1
  return (range.subtype === '*' ? 100 : 200) + range.parameters.length
}

/** The one parameter that our answers carry; a range with any other asks for what we do not have. */
function isUtf8([name, value]: readonly [string, string]): boolean {
  return name === 'charset' && value.toLowerCase() === 'utf-8'
}
