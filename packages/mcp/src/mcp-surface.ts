import type { GraphQLFormattedError } from 'graphql'
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
import {
  describeMcpRefusal,
  isAboutMessage,
  type McpRefusal,
  type RpcRefusal,
} from './message/mcp-refusals.js'
import type { MessageId } from './message/message.js'
import { statelessVersion, type Version } from './message/versions.js'

/** Responds to a message: with a result of the protocol, or with an error of JSON-RPC. */
export class McpSurface extends HttpSurface<McpRefusal> {
  /** The id to answer with; undefined until it is read, and for notifications. */
  id: MessageId | undefined
  /** The version of the protocol that the message speaks; undefined until it is known. */
  version: Version | undefined
  readonly #write: ResultWriter

  constructor(write: ResultWriter, tools: EndpointTools, facts: Facts) {
    super(tools, facts)
    this.#write = write
  }

  toResponse(why: McpRefusal | Stop): HttpResponse {
    const { facts, tools } = this
    if (isRequestError(why)) {
      const { errors } = describeStop(why, tools.settings, facts)
      const response = this.#respondWith(failureOf(errors, undefined))
      checkLength(response.body, facts.operation?.name?.value, tools.settings)
      return response
    }
    const described = describeMcpRefusal(why)
    const { code, message, status } = described
    facts.errors = [{ message, extensions: { code } }]
    facts.hasData = false
    const { id, version } = this
    const isQuiet = version !== undefined && version !== statelessVersion && isAboutMessage(why)
    return writeError(id, isQuiet ? 200 : status, described)
  }

  respond({ data, errors }: TextResult): TextResponse {
    return this.#respondWith(errors.length > 0 ? failureOf(errors, data) : successOf(data))
  }

  #respondWith(result: string): TextResponse {
    return this.#write(this.id as MessageId, this.version as Version, result)
  }
}

/** MCP, "Structured Content": clients that do not know it read the same as text. */
function successOf(data: string): string {
  return `{"content":${textOf(data)},"structuredContent":${data}}`
}

/** MCP, "Error Handling": what failed is a result, so that the model sees it. It does not see the document. */
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

/** The response with an error; MCP leaves out the id if it could not be read. */
function writeError(
  id: MessageId | undefined,
  status: number,
  { rpcCode, message, data, headers }: RpcRefusal,
): TextResponse {
  const error = { code: rpcCode, message, data }
  return {
    status,
    headers: [...jsonHeaders, ...headers],
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
  }
}

/** MCP 2026-07-28, "Caching": how long clients may keep what does not change, and for whom. */
export function cacheHints({ toolsTtl, isPrivate }: McpSettings): object {
  return { ttlMs: toolsTtl, cacheScope: isPrivate ? 'private' : 'public' }
}
