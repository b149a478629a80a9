import { formatFieldErrors, formatRequestErrors } from '../graphql/errors/format-errors.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Whole } from '../graphql/execute/result.js'
import { checkLength } from '../handler/stages/check-length.js'
import type { Surface } from '../handler/stages/stage.js'
import type { HttpResponse, TextResponse } from '../http/message.js'
import type { McpExchange } from './mcp-exchange.js'
import type { McpSettings } from './mcp-options.js'
import { describeMcpRefusal, isAboutMessage, type McpRefusal } from './message/mcp-refusals.js'
import { statelessVersion, type Version } from './message/versions.js'
import { dataOf, failureOf, successOf } from './tools/tool-result.js'
import { createResultWriter, writeError } from './write-result.js'

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
