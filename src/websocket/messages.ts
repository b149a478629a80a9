import { isJsonObject, type JsonObject } from '../base/json.js'
import { mayNestDeeper, nestsDeeper } from '../base/json.js'
import { failure, success, type Outcome } from '../base/outcome.js'

/** The subprotocol, as clients and servers name it in the handshake. */
export const subprotocol = 'graphql-transport-ws'

/** What clients send. */
export type ClientMessage =
  | { readonly type: 'connection_init'; readonly payload: JsonObject | undefined }
  | { readonly type: 'ping'; readonly payload: JsonObject | undefined }
  | { readonly type: 'pong' }
  | { readonly type: 'subscribe'; readonly id: string; readonly payload: SubscribePayload }
  | { readonly type: 'complete'; readonly id: string }

/** A request: its members have the types that the protocol gives them. There may be others. */
export interface SubscribePayload extends JsonObject {
  /** Absent only if the request may name a stored document instead. */
  readonly query?: string | null
}

/** Ids are kept for as long as their operations run, and are repeated in each message. */
const maxIdLength = 128

/** What messages may be. */
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
  const { type } = json
  switch (type) {
    case 'connection_init':
    case 'ping': {
      const payload = checkPayload(type, json['payload'])
      return payload.ok ? success({ type, payload: payload.value }) : payload
    }
    case 'pong': {
      const payload = checkPayload(type, json['payload'])
      return payload.ok ? success({ type }) : payload
    }
    case 'complete': {
      const id = checkId(type, json['id'])
      return id.ok ? success({ type, id: id.value }) : id
    }
    case 'subscribe': {
      const id = checkId(type, json['id'])
      if (!id.ok) return id
      const payload = checkRequest(json['payload'], needsQuery)
      return payload.ok ? success({ type, id: id.value, payload: payload.value }) : payload
    }
    default:
      return failure('The type of a message must be one that clients send')
  }
}

function checkPayload(type: string, payload: unknown): Outcome<JsonObject | undefined, string> {
  if (payload === undefined || payload === null) return success(undefined)
  return isJsonObject(payload)
    ? success(payload)
    : failure(`The payload of ${type} must be an object`)
}

function checkId(type: string, id: unknown): Outcome<string, string> {
  if (typeof id !== 'string' || id === '') {
    return failure(`The id of ${type} must be a string that is not empty`)
  }
  return id.length > maxIdLength
    ? failure(`The id of ${type} must have at most ${maxIdLength} characters`)
    : success(id)
}

function checkRequest(payload: unknown, needsQuery: boolean): Outcome<SubscribePayload, string> {
  if (!isJsonObject(payload)) return failure('The payload of subscribe must be an object')
  const { query, operationName, variables, extensions } = payload
  const isAbsent = !needsQuery && (query === undefined || query === null)
  if (typeof query !== 'string' && !isAbsent)
    return failure('The query of subscribe must be a string')
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    return failure('The operationName of subscribe must be a string')
  }
  for (const [name, value] of Object.entries({ variables, extensions })) {
    if (value !== undefined && value !== null && !isJsonObject(value)) {
      return failure(`The ${name} of subscribe must be an object`)
    }
  }
  return success(payload as SubscribePayload)
}

/** The server's messages; a `next` begins with `nextStart`, then come the result and a brace. */
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

/** The error of an operation beyond the limit of a socket. */
export function tooManyMessage(id: string, most: number): string {
  return refuse(id, 'TOO_MANY_STREAMS', `A socket can have at most ${most} operations at once.`)
}

/** The error of an operation for whose message there is no room. */
export function noRoomMessage(id: string): string {
  return refuse(id, 'OVERLOADED', 'Too many messages in progress; retry in 1 second.')
}

function refuse(id: string, code: string, message: string): string {
  return errorMessage(JSON.stringify(id), JSON.stringify([{ message, extensions: { code } }]))
}

export function completeMessage(id: string): string {
  return `{"id":${id},"type":"complete"}`
}
