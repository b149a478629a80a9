import { isJsonObject, mayNestDeeper, nestsDeeper, type JsonObject } from '../base/json.js'
import { failure, success, type Outcome } from '../base/outcome.js'

/** The subprotocol, as clients and servers name it in the handshake. */
export const subprotocol = 'graphql-transport-ws'

export type ClientMessage =
  | { readonly type: 'connection_init' | 'ping' | 'pong'; readonly payload: JsonObject | undefined }
  | { readonly type: 'subscribe'; readonly id: string; readonly payload: SubscribePayload }
  | { readonly type: 'complete'; readonly id: string }

/** A request: its members have the types that the protocol gives them. There may be others. */
export interface SubscribePayload extends JsonObject {
  /** Absent only if the request may name a stored document instead. */
  readonly query?: string | null
}

/** Ids are kept for as long as their operations run, and are repeated in each message. */
const maxIdLength = 128

export interface MessageRules {
  readonly maxJsonNesting: number
  /** Whether a `subscribe` must have a `query`; otherwise it may name a stored document. */
  readonly needsQuery: boolean
}

/** Checks a message. The reason of a failure is shown to the client. */
export function readMessage(
  text: string,
  { maxJsonNesting: maxNesting, needsQuery }: MessageRules,
): Outcome<ClientMessage, string> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return failure('A message must be JSON')
  }
  if (!isJsonObject(json)) return failure('A message must be a JSON object')
  if (mayNestDeeper(text, maxNesting) && nestsDeeper(json, maxNesting)) {
    return failure(`The JSON of a message must not nest deeper than ${maxNesting} levels`)
  }
  const fault = findFault(json, needsQuery)
  if (fault !== undefined) return failure(fault)
  const { type, id, payload } = json
  return success({ type, id, payload: payload ?? undefined } as ClientMessage)
}

function findFault({ type, id, payload }: JsonObject, needsQuery: boolean): string | undefined {
  switch (type) {
    case 'connection_init':
    case 'ping':
    case 'pong':
      return isAbsent(payload) || isJsonObject(payload)
        ? undefined
        : `The payload of ${type} must be an object`
    case 'complete':
      return findIdFault(type, id)
    case 'subscribe':
      return findIdFault(type, id) ?? findRequestFault(payload, needsQuery)
    default:
      return 'The type of a message must be one that clients send'
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function findIdFault(type: string, id: unknown): string | undefined {
  if (typeof id !== 'string' || id === '') {
    return `The id of ${type} must be a string that is not empty`
  }
  if (id.length <= maxIdLength) return undefined
  return `The id of ${type} must have at most ${maxIdLength} characters`
}

function findRequestFault(payload: unknown, needsQuery: boolean): string | undefined {
  if (!isJsonObject(payload)) return 'The payload of subscribe must be an object'
  const { query, operationName, variables, extensions } = payload
  if (typeof query !== 'string' && (needsQuery || !isAbsent(query))) {
    return 'The query of subscribe must be a string'
  }
  if (typeof operationName !== 'string' && !isAbsent(operationName)) {
    return 'The operationName of subscribe must be a string'
  }
  const others = Object.entries({ variables, extensions })
  const [name] = others.find(([, value]) => !isAbsent(value) && !isJsonObject(value)) ?? []
  return name && `The ${name} of subscribe must be an object`
}

export const ackMessage = '{"type":"connection_ack"}'

/** For clients on runtimes without the ping frames of the protocol below. */
export const pingMessage = '{"type":"ping"}'

export function pongMessage(payload: JsonObject | undefined): string {
  return payload === undefined
    ? '{"type":"pong"}'
    : `{"type":"pong","payload":${JSON.stringify(payload)}}`
}

/** `id` is JSON, as are the others. */
export function nextMessage(id: string, result: string): string {
  return `{"id":${id},"type":"next","payload":${result}}`
}

export function errorMessage(id: string, errors: string): string {
  return `{"id":${id},"type":"error","payload":${errors}}`
}

export function tooManyMessage(id: string, most: number): string {
  return refuse(id, 'TOO_MANY_STREAMS', `A socket can have at most ${most} operations at once.`)
}

export function noRoomMessage(id: string): string {
  return refuse(id, 'OVERLOADED', 'Too many messages in progress; retry in 1 second.')
}

function refuse(id: string, code: string, message: string): string {
  return errorMessage(JSON.stringify(id), JSON.stringify([{ message, extensions: { code } }]))
}

export function completeMessage(id: string): string {
  return `{"id":${id},"type":"complete"}`
}
