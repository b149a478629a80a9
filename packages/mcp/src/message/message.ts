import { isJsonObject, type JsonObject, failure, success, type Outcome } from 'graphwire/base'
import type { McpRefusal } from './mcp-refusals.js'

export type MessageId = string | number

/** A message of JSON-RPC 2.0 from a client; a notification has no id, and gets no response. */
export interface Message {
  readonly id: MessageId | undefined
  readonly method: string
  readonly params: JsonObject
}

/** An id is repeated in the response. */
const maxIdLength = 256

/** The id of a message, whatever else is wrong with it. */
export function idOf(json: unknown): MessageId | undefined {
  const id = isJsonObject(json) ? own(json, 'id') : undefined
  return isId(id) ? id : undefined
}

/** Numbers that JSON cannot repeat exactly are no ids: the client would not recognize the response. */
function isId(id: unknown): id is MessageId {
  return typeof id === 'string' ? id.length <= maxIdLength : Number.isSafeInteger(id)
}

/** Checks that a JSON value is a request or a notification. */
export function checkMessage(json: unknown): Outcome<Message, McpRefusal> {
  if (Array.isArray(json)) return noMessage('The body is a list, but batching is not supported.')
  if (!isJsonObject(json)) return noMessage('The body must be a JSON object.')
  if (own(json, 'jsonrpc') !== '2.0') return noMessage('"jsonrpc" must be "2.0".')
  const id = own(json, 'id')
  if (id !== undefined && !isId(id)) {
    return noMessage(`"id" must be an integer, or a string of at most ${maxIdLength} characters.`)
  }
  const method = own(json, 'method')
  if (method === undefined && (Object.hasOwn(json, 'result') || Object.hasOwn(json, 'error'))) {
    return noMessage('Responses are not accepted: this server sends no requests.')
  }
  if (typeof method !== 'string') return noMessage('"method" must be a string.')
  const params = own(json, 'params') ?? {}
  if (!isJsonObject(params))
    return failure({ kind: 'invalid-params', problem: '"params" must be an object.' })
  return success({ id, method, params })
}

function noMessage(problem: string): Outcome<never, McpRefusal> {
  return failure({ kind: 'no-message', problem })
}

/** A member of its own: members that all objects inherit are not what a client sent. */
export function own(json: JsonObject, name: string): unknown {
  return Object.hasOwn(json, name) ? json[name] : undefined
}
