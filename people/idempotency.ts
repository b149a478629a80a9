import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  failure,
  fieldValue,
  success,
  type Denial,
  type HttpResponse,
  type OperationRequest,
  type Outcome,
  type RequestHead,
} from 'graphwire'
import { nameOf, type Principal } from './access/principal.js'
import type { RequestRecords } from './front/records.js'
import type { Metrics } from './front/metrics.js'
import type { KeptResponse, KeyedOutcome, RequestStores } from './store/keyed-store.js'
import type { Store } from './store/open-store.js'
import { StoreUnavailable } from './store/store.js'

type Request = OperationRequest<IncomingMessage, Principal>

/** Requests with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), as hooks of both surfaces. */
export interface Idempotency {
  around(
    request: Request,
    proceed: () => HttpResponse | Promise<HttpResponse>,
  ): Promise<HttpResponse | Denial>
  /** The stores of the request: those of the transaction of its key, or those that name its sender in the audit. */
  storesOf(request: Request): RequestStores
}

interface IdempotencyParts {
  readonly store: Store
  readonly records: RequestRecords
  readonly metrics: Metrics
  /** Whether writes are recorded in the audit. */
  readonly isAudited: boolean
}

/** The maximum length of a key, and of the body of a stored response, in characters. */
export const keyLimits = { length: 255, response: 65_536 }

/** The header of a response that was stored before. */
export const replayedHeader = 'Idempotency-Replayed'

/**
 * A mutation with a key runs in one transaction with the row of the key, which holds its response. It runs in `around`, after `admit`: a
 * repetition counts against the rate limit, and a refused request does not use up its key.
 */
export function createIdempotency(parts: IdempotencyParts): Idempotency {
  const { store, records, metrics, isAudited } = parts
  const bound = new WeakMap<object, RequestStores>()
  const actorOf = ({ principal, head }: Request) => {
    const record = records.of(head)
    if (!isAudited || record === undefined) return undefined
    return { principal: nameOf(principal), requestId: record.id }
  }
  const run = async (
    request: Request,
    key: string,
    proceed: () => HttpResponse | Promise<HttpResponse>,
  ): Promise<HttpResponse | Denial> => {
    const { head, principal } = request
    const record = records.of(head)
    const keyed = {
      principal: ownerOf(principal),
      key,
      fingerprint: fingerprintOf(head, record?.bodyDigest),
    }
    try {
      const outcome = await store.keyed.once(keyed, actorOf(request), async (stores) => {
        bound.set(head.raw, stores)
        return toKept(await proceed())
      })
      metrics.count('people_idempotency_keys_total', { outcome: outcome.kind })
      if (record !== undefined) record.idempotency = outcome.kind
      return answerOf(outcome, request)
    } catch (fault) {
      if (fault instanceof StoreUnavailable) return notCommitted
      throw fault
    }
  }
  return {
    async around(request, proceed) {
      const lines = keyLines(request.head)
      // A GET is the handshake of a WebSocket, whose operations share it: it cannot tell their mutations apart.
      const isWrite = request.operation.operation === 'mutation' && request.head.method !== 'GET'
      const isKeyed = lines.length > 0 && isWrite
      // Without the scope, nothing is written: each field is denied.
      if (!isKeyed || !request.principal.scopes.has('write')) return proceed()
      const key = readKey(lines)
      return key === undefined ? invalid : run(request, key, proceed)
    },
    storesOf(request) {
      if (request.operation.operation !== 'mutation') return store
      const stores = bound.get(request.head.raw)
      if (stores !== undefined) return stores
      const actor = actorOf(request)
      return actor === undefined ? store : store.as(actor)
    },
  }
}

/** What the client gets. */
function answerOf(
  outcome: KeyedOutcome<HttpResponse | Denial>,
  { responseHeaders }: Request,
): HttpResponse | Denial {
  switch (outcome.kind) {
    case 'done':
      return outcome.response
    case 'kept':
      return replay(outcome.response)
    case 'undone':
      return outcome.reason
    case 'other':
      return reused
    case 'running':
      responseHeaders.set('Retry-After', '1')
      return inUse
    case 'full':
      responseHeaders.set('Retry-After', String(outcome.retryAfter))
      return exhausted
  }
}

function keyLines({ headers }: RequestHead): readonly string[] {
  return headers.filter(
    (_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'idempotency-key',
  )
}

/** A string as in RFC 9651 section 3.3.3, which the draft demands, or the plain word that most clients send. */
export function readKey(lines: readonly string[]): string | undefined {
  const [line = ''] = lines
  if (lines.length !== 1 || line.length > 2 * keyLimits.length + 2) return undefined
  const quoted = /^ *"((?:[ !#-[\]-~]|\\["\\])*)" *$/.exec(line)?.[1]
  const key = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? /^ *([\w.:~+/=-]+) *$/.exec(line)?.[1]
  return key !== undefined && key.length > 0 && key.length <= keyLimits.length ? key : undefined
}

/** Whoever sends no credential is known by the address. */
function ownerOf(principal: Principal): string {
  return principal.isKnown ? nameOf(principal) : `address:${principal.address}`
}

/** A digest of all that makes a write this one: method, target, condition and body. */
function fingerprintOf({ method, target, headers }: RequestHead, bodyDigest = ''): string {
  const override = fieldValue(headers, 'x-http-method-override') ?? ''
  const condition = fieldValue(headers, 'if-match') ?? ''
  return createHash('sha256')
    .update(JSON.stringify([method, override, target, condition, bodyDigest]))
    .digest('base64url')
}

/** What is stored; a reason undoes the writes, and is sent instead. */
function toKept({
  status,
  headers,
  body,
}: HttpResponse): Outcome<KeptResponse, HttpResponse | Denial> {
  if (typeof body !== 'string') {
    if ('discard' in body) body.discard()
    return failure(streamed)
  }
  // The same request may succeed later.
  if (status >= 500) return failure({ status, headers, body })
  return body.length > keyLimits.response ? failure(tooLarge) : success({ status, headers, body })
}

function replay({ status, headers, body }: KeptResponse): HttpResponse {
  return { status, headers: [...headers, replayedHeader, 'true'], body }
}

function denied(status: 400 | 409 | 422 | 429, what: string, message: string): Denial {
  return { kind: 'denied', status, code: `IDEMPOTENCY_${what}`, message }
}

const invalid = denied(
  400,
  'KEY_INVALID',
  `Idempotency-Key must be sent once, as a string such as "8e03978e-40d5-43dd-bc93-6894a57f9324" of 1 to ${keyLimits.length} characters.`,
)
const reused = denied(
  422,
  'KEY_REUSED',
  'This Idempotency-Key belongs to another request. Use a new key for each request.',
)
const inUse = denied(
  409,
  'KEY_IN_USE',
  'A request with this Idempotency-Key is being processed. Retry in 1 second.',
)
const exhausted = denied(
  429,
  'KEYS_EXHAUSTED',
  'Nothing was written: as many responses are stored for your Idempotency-Keys as may be. Retry after the seconds in Retry-After, or write without a key.',
)
const tooLarge = denied(
  422,
  'RESPONSE_TOO_LARGE',
  `Nothing was written: the response has more than ${keyLimits.response} characters, too many to store it for the Idempotency-Key. Select less.`,
)
const streamed = denied(
  422,
  'RESPONSE_TOO_LARGE',
  'Nothing was written: a response in parts cannot be stored for the Idempotency-Key. Accept application/json.',
)

const notCommitted: Denial = {
  kind: 'unavailable',
  retryAfter: 1,
  message: 'The database is unavailable. Try again in a moment, with the same Idempotency-Key.',
}
