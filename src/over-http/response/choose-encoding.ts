import { parseAccept, type AcceptRange } from '../../http/accept.js'
import { memo } from '../../http/memo.js'
import { preferenceFor, type Preference } from '../../http/negotiate.js'
import type { Edition } from '../editions.js'
import { responseTypes, type ResponseType } from '../response-types.js'
import {
  chooseIncremental,
  incrementalQuality,
  namesParts,
  type IncrementalEncoding,
} from './choose-incremental.js'

/**
 * The media types of a response, chosen before anything else so that refusals have the right type too. Which
 * of them applies depends on the kind of the operation.
 */
export interface Encoding {
  /** False if the client accepts none of our types: the response is 406 and nothing runs. */
  readonly acceptable: boolean
  /** The negotiated type of whole responses, which is that of a 2xx. */
  readonly success: ResponseType
  /** The type of a 4xx or 5xx. */
  readonly failure: ResponseType
  /** For queries and mutations; undefined if the client accepts only streams that they cannot have. */
  readonly single: 'json' | 'event-stream' | undefined
  /** For subscriptions; undefined if the client accepts no stream. */
  readonly events: EventEncoding | undefined
  /** For results in parts; undefined if the client accepts none of their encodings, or prefers JSON. */
  readonly incremental: IncrementalEncoding | undefined
}

/** The encodings of subscriptions: Server-Sent Events, and Apollo's multipart protocol. */
export type EventEncoding = 'event-stream' | 'multipart'

/** Chooses the encoding by the value of `Accept`; memoized. */
export function createEncodingChooser(edition: Edition): (accept: string | undefined) => Encoding {
  const isDefault = ({ rules }: ResponseType): boolean => rules[edition.name].isDefault === true
  const types = responseTypes.toSorted((a, b) => Number(isDefault(b)) - Number(isDefault(a)))
  return memo((accept) => chooseEncoding(accept, edition, types))
}

/** Of types that the client accepts alike, the first one is chosen. */
function chooseEncoding(
  accept: string | undefined,
  edition: Edition,
  types: readonly ResponseType[],
): Encoding {
  const ranges = parseAccept(accept)
  const rated = types.map((type) => ({ type, ...rate(ranges, type) }))
  const best = Math.max(...rated.map(({ quality }) => quality))
  const streams = ranges === undefined ? forAnyone : chooseStreams(ranges, best)
  if (best === 0) {
    // An error is sent in a type that the client has not refused, if there is one.
    const allowed = responseTypes.find((one) => !rate(ranges, one).refused)
    const type = (allowed ?? responseTypes.at(-1)) as ResponseType
    const acceptable = Object.values(streams).some((encoding) => encoding !== undefined)
    return { acceptable, success: type, failure: type, ...streams }
  }
  const success = rated.find(({ quality }) => quality === best)?.type as ResponseType
  const failure = success.rules[edition.name].failure ?? success
  const isRefused = rated.some(({ type, refused }) => type === failure && refused)
  return { acceptable: true, success, failure: isRefused ? success : failure, ...streams }
}

/** Without `Accept`, anything is accepted. */
function rate(ranges: readonly AcceptRange[] | undefined, { name }: ResponseType): Preference {
  const [type = '', subtype = ''] = name.split('/')
  return ranges === undefined ? anything : preferenceFor(ranges, type, subtype)
}

const anything: Preference = { quality: 1, refused: false }

type StreamChoice = Pick<Encoding, 'single' | 'events' | 'incremental'>

const forAnyone: StreamChoice = { single: 'json', events: 'event-stream', incremental: undefined }

/**
 * A stream is chosen for a single result only if the client names its type and prefers it to JSON: many clients list
 * all types that they can read with the same weight, and a wildcard asks for no stream.
 */
function chooseStreams(ranges: readonly AcceptRange[], jsonQuality: number): StreamChoice {
  // Of thousands of ranges, few are left to be compared with each type and format.
  const named = ranges.filter(namesParts)
  const incremental = chooseIncremental(named, jsonQuality)
  const sse = eventStreamQuality(ranges, named)
  const multipart = Math.max(0, ...named.filter(isMultipart).map(({ quality }) => quality))
  const isNamed = ranges.some(({ type, subtype }) => type === 'text' && subtype === 'event-stream')
  const single =
    isNamed && sse > jsonQuality ? 'event-stream' : jsonQuality > 0 ? 'json' : undefined
  if (multipart > sse) return { single, events: 'multipart', incremental }
  return { single, events: sse > 0 ? 'event-stream' : undefined, incremental }
}

/** A range that names the format of results in parts fits other results, too. */
function eventStreamQuality(ranges: readonly AcceptRange[], named: readonly AcceptRange[]): number {
  return Math.max(
    preferenceFor(ranges, 'text', 'event-stream').quality,
    incrementalQuality(named, 'text/event-stream', 'v0.2'),
    incrementalQuality(named, 'text/event-stream', '20220824'),
  )
}

/** Only with the parameter that names the protocol; the boundary is ours to choose. */
function isMultipart({ type, subtype, parameters }: AcceptRange): boolean {
  return (
    type === 'multipart' &&
    subtype === 'mixed' &&
    parameters.some(([name, value]) => name === 'subscriptionspec' && value === '1.0') &&
    parameters.every(([name]) => name === 'subscriptionspec' || name === 'boundary')
  )
}
