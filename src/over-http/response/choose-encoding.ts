import { parseAccept } from '../../http/accept.js'
import { memo } from '../../http/memo.js'
import { preferenceFor } from '../../http/negotiate.js'
import type { Edition, ResponseType } from '../editions.js'

/** The media types of a response, chosen before anything else so that refusals have the right type too. */
export interface Encoding {
  /** False if the client accepts neither of our types: the response is 406 and nothing runs. */
  readonly acceptable: boolean
  /** The negotiated type, which is that of a 2xx. */
  readonly success: ResponseType
  /** The type of a 4xx or 5xx. */
  readonly failure: ResponseType
}

/** Chooses the encoding by the value of `Accept`; memoized. */
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
