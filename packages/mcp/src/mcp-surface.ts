import type { GraphQLFormattedError } from 'graphql'
import { isJsonObject } from 'graphwire/base'
import {
  isRequestError,
  checkLength,
  describeStop,
  HttpSurface,
  type EndpointTools,
  type Facts,
  type Stop,
  type TextResult,
} from 'graphwire/surface/parts'
import type { HeaderList, HttpResponse, TextResponse } from 'graphwire/http'
import type { McpInfo, McpSettings } from './mcp-options.js'
import { describeMcpRefusal, isAboutMessage, type McpRefusal } from './message/mcp-refusals.js'
import type { MessageId } from './message/message.js'
import { statelessVersion, type Version } from './message/versions.js'

/** Responds to a message: with a result of the protocol, or with an error of JSON-RPC. */
export class McpSurface extends HttpSurface<McpRefusal> {
  /** The id to answer with; undefined until it is read, and for notifications. */
  id: MessageId | undefined
  /** The version of the protocol that the message speaks; undefined until it is known. */
  version: Version | undefined
  readonly #write: ResultWriter
  /** The last result or error that was made here, as text. */
  #lastBody: string | undefined

  constructor(write: ResultWriter, tools: EndpointTools, facts: Facts) {
    super(tools, facts)
    this.#write = write
  }

  toResponse(why: McpRefusal | Stop): HttpResponse {
    return this.#wrapInMessage(this.toInnerResponse(why), isRequestError(why))
  }

  /** A response to a call as `around` sees it: its body is the result, or the error, without the message around it. */
  toInnerResponse(why: McpRefusal | Stop): TextResponse {
    const { facts, tools, version } = this
    if (isRequestError(why)) {
      const { errors } = describeStop(why, tools.settings, facts)
      return this.#innerResponse(200, jsonHeaders, failureOf(errors, undefined))
    }
    const { code, message, status, rpcCode, data, headers } = describeMcpRefusal(why)
    facts.errors = [{ message, extensions: { code } }]
    facts.hasData = false
    const isQuiet = version !== undefined && version !== statelessVersion && isAboutMessage(why)
    const error = JSON.stringify({ code: rpcCode, message, data })
    return this.#innerResponse(isQuiet ? 200 : status, [...jsonHeaders, ...headers], error)
  }

  respond({ data, errors }: TextResult): TextResponse {
    const result = errors.length > 0 ? failureOf(errors, data) : successOf(data)
    // The whole message is measured before the end of `around`, where a transaction would be committed.
    const { body } = this.#write(this.id as MessageId, this.version as Version, result)
    checkLength(body, this.facts.operation?.name?.value, this.tools.settings)
    return this.#innerResponse(200, jsonHeaders, result)
  }

  /** The message for a response that has passed `around`: that may have been stored for a call with another id. */
  wrap(response: HttpResponse): TextResponse {
    const { status, headers, body } = response
    const text = body === this.#lastBody ? this.#lastBody : objectOf(body)
    return this.#wrapInMessage({ status, headers, body: text }, status < 300)
  }

  #innerResponse(status: number, headers: HeaderList, body: string): TextResponse {
    this.#lastBody = body
    return { status, headers, body }
  }

  #wrapInMessage({ status, headers, body: text }: TextResponse, isResult: boolean): TextResponse {
    const { id } = this
    if (!isResult) return { status, headers, body: writeError(id, text) }
    const { body } = this.#write(id as MessageId, this.version as Version, text)
    return { status, headers, body }
  }
}

/** The result, or the error, that a hook has made itself. */
function objectOf(body: HttpResponse['body']): string {
  let value: unknown
  try {
    value = typeof body === 'string' ? JSON.parse(body) : undefined
  } catch {
    // Refused below.
  }
  if (isJsonObject(value)) return JSON.stringify(value)
  throw new TypeError('around: expected a body with the result of a tool as a JSON object.')
}

/** MCP, "Structured Content": the data is repeated as text, for clients that do not support it. */
function successOf(data: string): string {
  return `{"content":${textOf(data)},"structuredContent":${data}}`
}

/** MCP, "Error Handling": a failure is a result, so that the model sees it. It does not see the document. */
function failureOf(errors: readonly GraphQLFormattedError[], data: string | undefined): string {
  const shown = errors.map(({ locations: _locations, ...error }) => error)
  const list = JSON.stringify(shown)
  const text = data === undefined ? `{"errors":${list}}` : `{"errors":${list},"data":${data}}`
  return `{"content":${textOf(text)},"isError":true}`
}

function textOf(text: string): string {
  return `[{"type":"text","text":${JSON.stringify(text)}}]`
}

const always = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']

const jsonHeaders: HeaderList = Object.freeze(['Content-Type', 'application/json', ...always])

/** The response to a notification. */
export const accepted: HttpResponse = {
  status: 202,
  headers: Object.freeze([...always]),
  body: '',
}

/** Writes the response with a result, which is the text of a JSON object. */
export type ResultWriter = (id: MessageId, version: Version, result: string) => TextResponse

/** Stateless results name the server and their kind. All of that is written once. */
export function createResultWriter({ info }: { readonly info: McpInfo }): ResultWriter {
  const meta = { 'io.modelcontextprotocol/serverInfo': info }
  const stateless = JSON.stringify({ resultType: 'complete', _meta: meta }).slice(0, -1)
  return (id, version, result) => {
    const whole = version === statelessVersion ? withMembers(stateless, result) : result
    const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${whole}}`
    return { status: 200, headers: jsonHeaders, body }
  }
}

function withMembers(start: string, result: string): string {
  return result === '{}' ? `${start}}` : `${start},${result.slice(1)}`
}

/** The message with an error; MCP leaves out the id if it could not be read. */
function writeError(id: MessageId | undefined, error: string): string {
  const start = id === undefined ? '' : `,"id":${JSON.stringify(id)}`
  return `{"jsonrpc":"2.0"${start},"error":${error}}`
}

/** MCP 2026-07-28, "Caching": how long clients may keep what does not change, and for whom. */
export function cacheHints({ toolsTtl, isPrivate }: McpSettings): object {
  return { ttlMs: toolsTtl, cacheScope: isPrivate ? 'private' : 'public' }
}
