import { parseAccept } from '../http/accept.js'
import { memo } from '../http/memo.js'
import { preferenceFor } from '../http/negotiate.js'
import type { Edition, ResponseType } from './editions.js'

/** How an answer is labelled, chosen before anything else so that refusals are encoded rightly too. */
export interface Encoding {
  /** False when the client reads neither of our types: 406 and nothing runs. */
  readonly acceptable: boolean
  /** The type that was negotiated: the label of a 2xx. */
  readonly success: ResponseType
  /** The label of a 4xx or 5xx. */
  readonly failure: ResponseType
}

/** Makes the function from the value of `Accept` to an encoding; it remembers what it has seen. */
export function createEncodingChooser(edition: Edition): (accept: string | undefined) => Encoding {
  return memo((accept) => chooseEncoding(accept, edition))
}

function chooseEncoding(accept: string | undefined, edition: Edition): Encoding {
  const ranges = parseAccept(accept)
  if (ranges === undefined) return encodingOf(edition.defaultType, edition, false)
  const graphql = preferenceFor(ranges, 'application', 'graphql-response+json')
  const json = preferenceFor(ranges, 'application', 'json')
  if (graphql.quality === 0 && json.quality === 0) {
    const type = graphql.refused ? 'application/json' : 'application/graphql-response+json'
    return { acceptable: false, success: type, failure: type }
  }
  if (graphql.quality === json.quality) return encodingOf(edition.defaultType, edition, false)
  return graphql.quality > json.quality
    ? encodingOf('application/graphql-response+json', edition, false)
    : encodingOf('application/json', edition, graphql.refused)
}

function encodingOf(success: ResponseType, edition: Edition, graphqlRefused: boolean): Encoding {
  const relabels = success === 'application/json' && !graphqlRefused
  return { acceptable: true, success, failure: relabels ? edition.legacyFailureType : success }
}
