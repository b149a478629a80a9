import { hash } from 'node:crypto'
import {
  failure,
  fieldValue,
  success,
  type Denial,
  type HttpResponse,
  type MaybePromise,
  type OperationRequest,
  type Outcome,
} from 'graphwire'
import { linesOf } from './access/authenticate.js'
import { credentialOf, type Principal } from './access/principal.js'
import type { Parts } from './shared-options.js'
import { keptFor } from './store/keyed-store.js'
import type { KeptResponse, KeyedOutcome, RequestStores } from './store/keyed-store.js'
import { StoreUnavailable } from './store/store.js'

type Request = OperationRequest<unknown, Principal>
type Proceed = () => MaybePromise<HttpResponse>
type Answer = HttpResponse | Denial

/** The maximum length of a key, and of the body of a stored response, in characters. */
export const keyLimits = { length: 255, response: 65_536 }

const exampleKey = '"8e03978e-40d5-43dd-bc93-6894a57f9324"'

const replayedHeader = 'Idempotency-Replayed'

/**
 * Requests with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), as hooks of all surfaces. A
 * mutation with a key runs in one transaction with the row of the key, which holds its response. It runs in `around`,
 * after `admit`: a repetition counts against the rate limit, and a refused request does not use up its key.
 */
export function createIdempotency({ settings, store, records, metrics }: Parts) {
  const bound = new WeakMap<object, RequestStores>()
  const actorOf = ({ principal, head }: Request) => {
    const record = records.of(head)
    if (settings.auditDays === 0 || record === undefined) return undefined
    return { principal: credentialOf(principal) ?? 'anonymous', requestId: record.id }
  }
  const run = async (request: Request, key: string, proceed: Proceed) => {
    const { head, principal } = request
    // Clients without a credential are identified by their address.
    const owner = credentialOf(principal) ?? `address:${principal.address}`
    const keyed = { principal: owner, key, fingerprint: fingerprintOf(request) }
    try {
      const outcome = await store.keyed.once(keyed, actorOf(request), async (stores) => {
        bound.set(request.key, stores)
        return toKept(await proceed())
      })
      metrics.idempotencyKeys.inc({ outcome: outcome.kind })
      records.note(head, { idempotency: outcome.kind })
      return answerOf(outcome, request)
    } catch (fault) {
      if (fault instanceof StoreUnavailable) return notCommitted
      throw fault
    }
  }
  return {
    around: async (request: Request, proceed: Proceed): Promise<Answer> => {
      const lines = linesOf(request.head, 'idempotency-key')
      // A GET is the handshake of a WebSocket, whose header all operations share: it cannot identify one mutation.
      const isWrite = request.operation.operation === 'mutation' && request.head.method !== 'GET'
      const isKeyed = lines.length > 0 && isWrite
      // Without the scope, nothing is written: each field is denied.
      if (!isKeyed || !request.principal.scopes.has('write')) return proceed()
      const key = readKey(lines)
      return key === undefined ? refusals.invalid : run(request, key, proceed)
    },
    /** The stores of the request: those of the transaction of its key, or those that name its sender in the audit. */
    storesOf(request: Request): RequestStores {
      if (request.operation.operation !== 'mutation') return store
      const stores = bound.get(request.key)
      if (stores !== undefined) return stores
      const actor = actorOf(request)
      return actor === undefined ? store : store.as(actor)
    },
  }
}

function answerOf(outcome: KeyedOutcome<Answer>, { responseHeaders }: Request): Answer {
  const { kind } = outcome
  if (kind === 'done') return outcome.response
  if (kind === 'kept') {
    const { headers } = outcome.response
    return { ...outcome.response, headers: [...headers, replayedHeader, 'true'] }
  }
  if (kind === 'undone') return outcome.reason
  if (kind === 'full') responseHeaders.set('Retry-After', String(outcome.retryAfter))
  if (kind === 'running') responseHeaders.set('Retry-After', '1')
  return refusals[kind]
}

/** A string as in RFC 9651 section 3.3.3, which the draft demands, or the plain word that most clients send. */
export function readKey(lines: readonly string[]): string | undefined {
  const [line = ''] = lines
  if (lines.length !== 1 || line.length > 2 * keyLimits.length + 2) return undefined
  const quoted = /^ *"((?:[ !#-[\]-~]|\\["\\])*)" *$/.exec(line)?.[1]
  const key = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? /^ *([\w.:~+/=-]+) *$/.exec(line)?.[1]
  return key !== undefined && key.length > 0 && key.length <= keyLimits.length ? key : undefined
}

/** A digest of what identifies a write and its response. */
function fingerprintOf({ head: { method, target, headers }, params }: Request): string {
  const fields = keyedFields.map((name) => fieldValue(headers, name) ?? '')
  return hash('sha256', JSON.stringify([method, target, fields, params]), 'base64url')
}

const keyedFields = ['x-http-method-override', 'if-match', 'if-none-match', 'accept']

/** The response to store; a failure undoes the writes, and its reason is sent instead. */
function toKept({ status, headers, body }: HttpResponse): Outcome<KeptResponse, Answer> {
  if (typeof body !== 'string') {
    if ('discard' in body) body.discard()
    return failure(refusals.streamed)
  }
  // The same request may succeed later.
  if (status >= 500) return failure({ status, headers, body })
  return body.length > keyLimits.response
    ? failure(refusals.tooLarge)
    : success({ status, headers, body })
}

function denied(status: 400 | 409 | 422 | 429, what: string, message: string): Denial {
  return { kind: 'denied', status, code: `IDEMPOTENCY_${what}`, message }
}

// oxfmt-ignore
const refusals = {
  invalid:  denied(400, 'KEY_INVALID', `Idempotency-Key must be sent once, as a string such as ${exampleKey} of 1 to ${keyLimits.length} characters.`),
  other:    denied(422, 'KEY_REUSED', 'This Idempotency-Key belongs to another request. Use a new key for each request.'),
  running:  denied(409, 'KEY_IN_USE', 'A request with this Idempotency-Key is being processed. Retry in 1 second.'),
  full:     denied(429, 'KEYS_EXHAUSTED',
              'Nothing was written: the maximum number of responses is stored for your Idempotency-Keys. ' +
              'Retry after the seconds in Retry-After, or write without a key.'),
  tooLarge: denied(422, 'RESPONSE_TOO_LARGE',
              `Nothing was written: the response has more than ${keyLimits.response} characters, too many to store it for the Idempotency-Key. Select less.`),
  streamed: denied(422, 'RESPONSE_TOO_LARGE', 'Nothing was written: a response in parts cannot be stored for the Idempotency-Key. Accept application/json.'),
}

const notCommitted: Denial = {
  kind: 'unavailable',
  retryAfter: 1,
  message: 'The database is unavailable. Try again in a moment, with the same Idempotency-Key.',
}

export const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A string of your choice, unique for each write: a repetition with the same key and request gets the same response for ${keptFor / 3_600_000} hours, with the header ${replayedHeader}, and nothing is written again. While the first one is processed, it is 409 (IDEMPOTENCY_KEY_IN_USE); with the key of another request, 422 (IDEMPOTENCY_KEY_REUSED).`,
  schema: { type: 'string', minLength: 1, maxLength: keyLimits.length + 2 },
  example: exampleKey,
}
