import { parseAccept, type AcceptRange } from '../../../http/accept.js'
import { findRange, specificity } from '../../../http/negotiate.js'
import { responseTypes } from '../../../over-http/response-types.js'
import { printable } from '../rules/printable.js'

/** How `Accept` rates one of the types that are served. */
export interface Offer {
  readonly type: string
  readonly for: 'results' | 'streams'
  /** 0 if the client does not accept it. */
  readonly quality: number
  /** The range that decides; undefined if none matches. */
  readonly range: string | undefined
  /** How closely the range names the type: 0 for any type, 100 for any subtype, 200 for the type, more with parameters. */
  readonly specificity: number | undefined
  readonly isChosen: boolean
}

const served: readonly (readonly [name: string, use: Offer['for']])[] = [
  ...responseTypes.map(({ name }) => [name, 'results'] as const),
  ['text/event-stream', 'streams'],
]

/** What `Accept` says about each type that is served. Without the field, any is accepted. */
export function listOffers(
  accept: string | undefined,
  chosen: string | undefined,
): readonly Offer[] {
  const ranges = parseAccept(accept)
  return served.map(([name, use]): Offer => {
    const [type = '', subtype = ''] = name.split('/')
    const isChosen = name === chosen
    if (ranges === undefined) {
      return {
        type: name,
        for: use,
        quality: 1,
        range: undefined,
        specificity: undefined,
        isChosen,
      }
    }
    const range = findRange(ranges, type, subtype)
    return {
      type: name,
      for: use,
      quality: range?.quality ?? 0,
      range: range && formatRange(range),
      specificity: range && specificity(range, type, subtype),
      isChosen,
    }
  })
}

function formatRange({ type, subtype, parameters, quality }: AcceptRange): string {
  const pairs = parameters.map(([name, value]) => `;${name}=${value}`).join('')
  return printable(`${type}/${subtype}${pairs}${quality === 1 ? '' : `;q=${quality}`}`)
}
