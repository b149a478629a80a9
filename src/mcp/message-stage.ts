import { andThen } from '../base/promise.js'
import type { Stop } from '../handler/stages/stage.js'
import type { HttpResponse, ParsedJson } from '../http/message.js'
import { readJsonBody } from '../over-http/request/read-body.js'
import type { McpExchange, McpStage } from './mcp-exchange.js'
import type { McpSettings } from './mcp-options.js'
import { accepted, cacheHints, createResultWriter } from './mcp-surface.js'
import {
  agreeOn,
  checkVersion,
  statelessVersion,
  versions,
  type Version,
} from './message/versions.js'
import { checkMessage, idOf, own, type Message } from './message/message.js'
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

/** Whether a message is about the tools: then its answer depends on the schema. */
function takesTools({ id, method }: Message): boolean {
  return id !== undefined && (method === 'tools/list' || method === 'tools/call')
}

/** Answers the other messages. */
type Answer = (message: Message, version: Version) => Stop<McpRefusal>

function createAnswers(settings: McpSettings): Answer {
  const { info, instructions } = settings
  const write = createResultWriter(settings)
  const capabilities = { tools: {} }
  const discovered = JSON.stringify({
    supportedVersions: versions,
    capabilities,
    instructions,
    ...cacheHints(settings),
  })
  return ({ id, method, params }, version) => {
    // Nothing here depends on notifications, such as those of the handshake; unknown ones are ignored.
    if (id === undefined) return accepted
    if (version === statelessVersion) {
      return method === 'server/discover' ? write(id, version, discovered) : unknown(method)
    }
    if (method === 'ping') return write(id, version, '{}')
    return method === 'initialize'
      ? initialize(params, (result) => write(id, version, result))
      : unknown(method)
  }

  function initialize(
    params: Message['params'],
    respond: (result: string) => HttpResponse,
  ): Stop<McpRefusal> {
    const requested = own(params, 'protocolVersion')
    if (typeof requested !== 'string') {
      return { kind: 'invalid-params', problem: '"protocolVersion" must be a string.' }
    }
    const protocolVersion = agreeOn(requested)
    return respond(
      JSON.stringify({ protocolVersion, capabilities, serverInfo: info, instructions }),
    )
  }
}

function unknown(method: string): McpRefusal {
  return { kind: 'unknown-method', method }
}
