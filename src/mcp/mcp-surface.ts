import type { GraphQLFormattedError } from 'graphql'
import { formatFieldErrors, formatRequestErrors } from '../graphql/errors/format-errors.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Whole } from '../graphql/execute/result.js'
import { checkLength } from '../handler/stages/check-length.js'
import type { Surface } from '../handler/stages/stage.js'
import type { HeaderList, HttpResponse, TextResponse } from '../http/message.js'
import type { McpExchange } from './mcp-exchange.js'
import type { McpInfo, McpSettings } from './mcp-options.js'
import {
  describeMcpRefusal,
  isAboutMessage,
  type McpRefusal,
  type RpcRefusal,
} from './message/mcp-refusals.js'
import type { MessageId } from './message/message.js'
import { statelessVersion, type Version } from './message/versions.js'

/** How tools respond: with a result of the protocol, or with an error of JSON-RPC. */
interface McpSurface extends Surface<McpExchange, McpRefusal> {
  respond(this: void, exchange: McpExchange): HttpResponse
}

export function createMcpSurface(settings: McpSettings): McpSurface {
  const write = createResultWriter(settings)
  const respondWith = (result: string, exchange: McpExchange): TextResponse => {
    const { id, version, operation } = exchange
    const response = write(id as string, version as Version, result)
    checkLength(response.body, operation?.name?.value, settings)
    return response
  }
  return {
    refuse(refusal, exchange) {
      const described = describeMcpRefusal(refusal)
      const { code, message, status } = described
      exchange.errors = [{ message, extensions: { code } }]
      exchange.hasData = false
      const { id, version } = exchange
      const isQuiet =
        version !== undefined && version !== statelessVersion && isAboutMessage(refusal)
      return writeError(id, isQuiet ? 200 : status, described)
    },
    reject(error, exchange) {
      const errors = formatRequestErrors(error, settings, exchange)
      exchange.errors = errors
      return respondWith(failureOf(errors, undefined), exchange)
    },
    respond(exchange) {
      // Tools are neither subscriptions nor executed in parts.
      const result = exchange.result as Whole
      const { name } = (exchange.prepared as Operation).definition
      const errors = formatFieldErrors(result.errors, name?.value, settings, exchange)
      exchange.errors = errors
      exchange.hasData = true
      const data = dataOf(result)
      const written = errors.length > 0 ? failureOf(errors, data) : successOf(data)
      return respondWith(written, exchange)
    },
  }
}

/** The data as JSON text. */
function dataOf(result: Whole): string {
  if (result.kind === 'written') return result.body.slice('{"data":'.length, -1)
  return JSON.stringify(result.data)
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
type ResultWriter = (id: MessageId, version: Version, result: string) => TextResponse

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
