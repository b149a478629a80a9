import {
  memo,
  fieldValue,
  type Handler,
  type HttpResponse,
  type Request,
  type RequestHead,
  type TextResponse,
  chooseType,
  hasPath,
  pathOf,
} from 'graphwire/http'
import {
  checkFraming,
  isOwn,
  createRoadHandler,
  createTools,
  identify,
  noteOperation,
  receiveJson,
  runOperation,
  servedPath,
  stop,
  type EndpointTools,
  type Facts,
  type Road,
  type Stop,
  type TextResult,
} from 'graphwire/surface/parts'
import { checkOptions } from 'graphwire/base'
import { createAnswers, takesTools, type Answer } from './answer-message.js'
import { mcpShape, resolveMcpOptions, type McpOptions, type McpSettings } from './mcp-options.js'
import { createResultWriter, McpSurface } from './mcp-surface.js'
import { allowedMethods, type McpRefusal } from './message/mcp-refusals.js'
import { checkMessage, idOf, type Message } from './message/message.js'
import { checkVersion, type Version } from './message/versions.js'
import { ToolCalls } from './tool-calls.js'

/**
 * Makes the handler of an endpoint of the Model Context Protocol, whose tools are named operations. It has the same
 * limits, credentials, execution, masking and traces as `createHandler`.
 */
export function createMcpHandler<Raw = unknown, Principal = unknown>(
  options: McpOptions<Raw, Principal>,
): Handler<Raw> {
  checkOptions('createMcpHandler', options, mcpShape)
  const settings = resolveMcpOptions(options)
  const shared = createTools(settings)
  const { engine } = shared
  const tools: McpTools = {
    ...shared,
    settings,
    calls: new ToolCalls(settings, engine),
    answer: createAnswers(settings),
    // Responses are never streams, which a client must accept too: that is not required.
    acceptsJson: memo((accept) => chooseType(accept, ['application/json']) !== undefined),
  }
  const write = createResultWriter(settings)
  return createRoadHandler<Raw, McpRefusal | Stop>(tools, (request, facts) => {
    const surface = new McpSurface(write, tools, facts)
    return {
      surface,
      road: mcpRoad(request, surface, tools, facts),
      describe(message) {
        message.route = servedPath(facts, settings.path)
        message.isTrusted = facts.operation === undefined ? undefined : true
      },
    }
  })
}

/** The parts that the messages of an endpoint share. */
interface McpTools extends EndpointTools {
  readonly settings: McpSettings
  readonly calls: ToolCalls
  readonly answer: Answer
  readonly acceptsJson: (accept: string | undefined) => boolean
}

type McpRoad<Value> = Road<Value, McpRefusal | Stop>

/** A message of a client, from the first check of its head to the response. */
function* mcpRoad(
  request: Request,
  surface: McpSurface,
  tools: McpTools,
  facts: Facts,
): McpRoad<HttpResponse> {
  const { settings } = tools
  const { head } = facts
  const refused = checkFraming(head, settings) ?? checkOrigin(head, settings)
  if (refused !== undefined) return yield* stop(refused)
  const isElsewhere = settings.path !== undefined && !hasPath(head.target, settings.path)
  const notFound = { kind: 'not-found', path: pathOf(head.target) } as const
  if (head.method === 'OPTIONS') {
    // RFC 9110 section 9.3.7: `*` is the server as a whole.
    return head.target !== '*' && isElsewhere ? yield* stop(notFound) : described
  }
  if (settings.credentialsFirst) yield* identify(tools, facts)
  if (isElsewhere) return yield* stop(notFound)
  if (head.method !== 'POST') return yield* stop({ kind: 'only-post', method: head.method })
  if (!tools.acceptsJson(fieldValue(head.headers, 'accept'))) {
    return yield* stop({ kind: 'json-not-accepted' })
  }
  const unfit = tools.checkContent(head)
  if (unfit !== undefined) return yield* stop(unfit)
  if (!settings.credentialsFirst) yield* identify(tools, facts)

  const body = yield* receiveJson(request, tools, facts)
  if ('refused' in body) return body.refused
  surface.id = idOf(body.json)
  const checked = checkMessage(body.json)
  if (!checked.ok) return yield* stop(checked.reason)
  const message = checked.value
  const version = checkVersion(message, head.headers)
  if (!version.ok) return yield* stop(version.reason)
  surface.version = version.value
  if (!takesTools(message)) return yield* respondWith(tools.answer(message, version.value))

  return yield* useTools(message, version.value, surface, tools, facts)
}

/** Lists the tools, or calls one. */
function* useTools(
  message: Message,
  version: Version,
  surface: McpSurface,
  tools: McpTools,
  facts: Facts,
): McpRoad<HttpResponse> {
  const schema = yield* tools.findSchema(facts)
  facts.at = 'prepare'
  if (message.method === 'tools/list') {
    return yield* respondWith(tools.calls.list(message, version, schema))
  }
  const call = tools.calls.prepare(message, schema)
  if (!call.ok) return yield* stop(call.reason)
  const { operation, error } = call.value
  noteOperation(facts, operation)
  facts.documentCached = true
  const refusal = error ?? tools.engine.checkCost(operation, facts)
  if (refusal !== undefined) return yield* stop(refusal)

  const respond = (result: TextResult): TextResponse => surface.respond(result)
  const inner = {
    toResponse: (why: McpRefusal | Stop): HttpResponse => surface.toInnerResponse(why),
    finish: (response: HttpResponse): HttpResponse => response,
  }
  return surface.wrap(yield* runOperation({ operation, respond, via: 'tool' }, inner, tools, facts))
}

function* respondWith(answer: HttpResponse | McpRefusal): McpRoad<HttpResponse> {
  return 'kind' in answer ? yield* stop(answer) : answer
}

/**
 * Refuses all requests of pages of other sites. An origin equal to the host of the request is not enough: an attacker can
 * point a domain of their own at this server, so that both have its name.
 */
function checkOrigin(head: RequestHead, { cors }: McpSettings): McpRefusal | undefined {
  const origin = fieldValue(head.headers, 'origin')
  if (origin === undefined || cors.allows(origin, head)) return undefined
  const host = fieldValue(head.headers, 'host')
  return isOwn(origin, host) && isFixed(host as string)
    ? undefined
    : { kind: 'foreign-origin', origin }
}

/** Whether a host cannot be pointed elsewhere: an address, or `localhost`. */
function isFixed(host: string): boolean {
  return /^(?:\[[\da-f:.]+\]|\d+(?:\.\d+){3}|(?:[\w-]+\.)*localhost)(?::\d+)?$/i.test(host)
}

const described: HttpResponse = {
  status: 204,
  headers: ['Allow', allowedMethods, 'X-Content-Type-Options', 'nosniff'],
  body: '',
}
