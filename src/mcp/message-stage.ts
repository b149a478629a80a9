import { andThen } from '../base/promise.js'
import type { Stop } from '../handler/stages/stage.js'
import type { ParsedJson } from '../http/message.js'
import { readJsonBody } from '../over-http/request/read-body.js'
import type { McpExchange, McpStage } from './mcp-exchange.js'
import type { McpSettings } from './mcp-options.js'
import { createAnswers, takesTools } from './answers.js'
import { checkVersion } from './message/check-version.js'
import { checkMessage, idOf } from './message/message.js'
import type { McpRefusal } from './message/mcp-refusals.js'

/** Reads the message, and answers all but those that need the tools. */
export function createMessageStage(settings: McpSettings): McpStage {
  const answer = createAnswers(settings)
  const take = (json: unknown, exchange: McpExchange): Stop<McpRefusal> | undefined => {
    exchange.id = idOf(json)
    const message = checkMessage(json)
    if (!message.ok) return message.reason
    const version = checkVersion(message.value, exchange.head.headers)
    if (!version.ok) return version.reason
    exchange.message = message.value
    exchange.version = version.value
    return takesTools(message.value) ? undefined : answer(message.value, version.value)
  }
  return (exchange) => {
    const { body, head } = exchange
    const json = readJsonBody(body as Uint8Array | ParsedJson, head.headers, settings)
    return andThen(json, (read) => (read.ok ? take(read.value, exchange) : read.reason))
  }
}
