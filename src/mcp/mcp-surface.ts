import type { GraphQLFormattedError, GraphQLSchema } from 'graphql'
import { isJsonObject } from '../base/json.js'
import { formatFieldErrors, formatRequestErrors } from '../graphql/errors/format-errors.js'
import type { Engine } from '../graphql/engine.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Whole } from '../graphql/execute/result.js'
import { checkLength } from '../handler/stages/check-length.js'
import { setOperation } from '../handler/stages/operation-stages.js'
import type { Stop, Surface } from '../handler/stages/stage.js'
import type { HttpResponse, TextResponse } from '../http/message.js'
import { cacheHints } from './answers.js'
import type { McpExchange } from './mcp-exchange.js'
import type { McpSettings } from './mcp-options.js'
import { describeMcpRefusal, isAboutMessage, type McpRefusal } from './message/mcp-refusals.js'
import { own, type Message } from './message/message.js'
import { statelessVersion, type Version } from './message/versions.js'
import { readArguments } from './tools/read-arguments.js'
import { createToolboxes, type Toolbox } from './tools/toolbox.js'
import { createResultWriter, writeError } from './write-result.js'

/** How tools respond: with a result of the protocol, or with an error of JSON-RPC. */
export interface McpSurface extends Surface<McpExchange, McpRefusal> {
  prepare(this: void, exchange: McpExchange): Stop<McpRefusal> | undefined
  respond(this: void, exchange: McpExchange): HttpResponse
}

export function createMcpSurface(settings: McpSettings, engine: Engine): McpSurface {
  const toolboxOf = createToolboxes(settings, engine)
  const write = createResultWriter(settings)
  const hints = JSON.stringify(cacheHints(settings.toolsTtl, settings.isPrivate)).slice(1)
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
    prepare(exchange) {
      const { message, version, schema } = exchange
      const toolbox = toolboxOf(schema as GraphQLSchema)
      if ((message as Message).method === 'tools/call') return prepareCall(toolbox, exchange)
      if (own((message as Message).params, 'cursor') !== undefined) {
        return { kind: 'invalid-params', problem: 'Unknown "cursor": all tools are on one page.' }
      }
      const listed = `{"tools":${toolbox.list}`
      return respondWith(
        version === statelessVersion ? `${listed},${hints}` : `${listed}}`,
        exchange,
      )
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

  function prepareCall({ tools }: Toolbox, exchange: McpExchange): Stop<McpRefusal> | undefined {
    const { params } = exchange.message as Message
    const name = own(params, 'name')
    if (typeof name !== 'string')
      return { kind: 'invalid-params', problem: '"name" must be a string.' }
    const given = own(params, 'arguments') ?? {}
    if (!isJsonObject(given))
      return { kind: 'invalid-params', problem: '"arguments" must be an object.' }
    const tool = tools.get(name)
    if (tool === undefined) return { kind: 'unknown-tool', name }
    const { source, document, definition } = tool
    const read = readArguments(given, tool, settings)
    const operation = engine.toOperation(exchange.schema as GraphQLSchema, document, definition, {
      query: source.operation,
      operationName: name,
      variables: read.ok ? read.value : {},
      extensions: undefined,
    })
    setOperation(exchange, operation)
    return read.ok ? undefined : read.reason
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
