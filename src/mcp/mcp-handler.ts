import { createRunner } from '../handler/runner.js'
import { createSurround } from '../handler/stages/around.js'
import { createCredentials } from '../handler/stages/credentials.js'
import { createClock } from '../handler/stages/finish.js'
import { createOperationStages } from '../handler/stages/operation-stages.js'
import { createSender, createServices, type Services } from '../handler/stages/run-operation.js'
import { inOrder, type Stages } from '../handler/stages/stage.js'
import { describeExchange, servedPath } from '../handler/describe-exchange.js'
import { traceExchanges } from '../handler/trace-request.js'
import { memo } from '../http/memo.js'
import { fieldValue, type Handler, type HttpResponse } from '../http/message.js'
import { chooseType } from '../http/negotiate.js'
import { hasPath, pathOf } from '../http/target.js'
import { checkFraming, createContentCheck, isOwn } from '../over-http/request/check-head.js'
import { checkOptions } from '../shapes/shape.js'
import { Streams } from '../streams/streams.js'
import { beginMcpExchange, type McpExchange, type McpStage } from './mcp-exchange.js'
import { mcpShape, resolveMcpOptions, type McpOptions, type McpSettings } from './mcp-options.js'
import { createMcpSurface } from './mcp-surface.js'
import { createMessageStage } from './message-stage.js'
import { allowedMethods, type McpRefusal } from './message/mcp-refusals.js'
import { createToolStage } from './tool-stage.js'

/**
 * Makes the handler of an endpoint of the Model Context Protocol, whose tools are named operations. It has the same
 * limits, credentials, execution, masking and traces as `createHandler`.
 */
export function createMcpHandler<Raw = unknown, Principal = unknown>(
  options: McpOptions<Raw, Principal>,
): Handler<Raw> {
  checkOptions('createMcpHandler', options, mcpShape)
  const settings = resolveMcpOptions(options)
  const services = createServices(settings, new Streams(settings))
  const surface = createMcpSurface(settings)
  const stages = listStages(settings, services, surface)
  const now = createClock(settings)
  const { engine, gate } = services
  return traceExchanges({
    begin: (head) => beginMcpExchange(head, now()),
    run: createRunner(settings, { stages, surface, gate }),
    describe(facts, exchange) {
      describeExchange(facts, exchange, engine)
      facts.route = servedPath(exchange, settings.path)
      facts.isTrusted = exchange.operation === undefined ? undefined : true
    },
  })
}

/** All stages of a message, in order. */
function listStages(
  settings: McpSettings,
  { engine, gate }: Services,
  surface: ReturnType<typeof createMcpSurface>,
): Stages<McpExchange, McpRefusal> {
  const framing: McpStage = ({ head }) => checkFraming(head, settings)
  const origin = createOriginStage(settings)
  const { describeMethods, requestLine } = createMethodStages(settings)
  const accept = createAcceptStage()
  const content = createContentStage(settings)
  const load = gate.check
  const credentials = createCredentials(settings)
  const operation = createOperationStages<McpExchange, McpRefusal>(settings, engine, {
    prepare: createToolStage(settings, engine),
    check: () => undefined,
    execute: createSender(settings, engine),
    respond: surface.respond,
    surround: createSurround<McpExchange, McpRefusal>(settings, surface),
  })
  return {
    head: settings.credentialsFirst
      ? [framing, origin, describeMethods, load, credentials, requestLine, accept, content]
      : [framing, origin, describeMethods, requestLine, accept, content, load, credentials],
    // More requests may have arrived while the body was being read.
    body: [load, createMessageStage(settings), ...inOrder(operation)],
    url: [],
  }
}

/**
 * Refuses pages of other sites, whatever they ask for. That the origin is the host of the request is not enough: an
 * attacker can let their own name lead to this server, and the page then has the same name in both.
 */
function createOriginStage({ cors }: McpSettings): McpStage {
  return ({ head: { headers } }) => {
    const origin = fieldValue(headers, 'origin')
    if (origin === undefined || cors.allows(origin)) return undefined
    const host = fieldValue(headers, 'host')
    return isOwn(origin, host) && isFixed(host as string)
      ? undefined
      : { kind: 'foreign-origin', origin }
  }
}

/** Whether nobody else decides where a host leads: an address, or `localhost`. */
function isFixed(host: string): boolean {
  return /^(?:\[[\da-f:.]+\]|\d+(?:\.\d+){3}|(?:[\w-]+\.)*localhost)(?::\d+)?$/i.test(host)
}

const described: HttpResponse = {
  status: 204,
  headers: ['Allow', allowedMethods, 'X-Content-Type-Options', 'nosniff'],
  body: '',
}

/** Responds to OPTIONS, and refuses other paths, and other methods than POST. */
function createMethodStages({ path }: McpSettings): {
  readonly describeMethods: McpStage
  readonly requestLine: McpStage
} {
  const isElsewhere = (target: string): boolean => path !== undefined && !hasPath(target, path)
  return {
    describeMethods({ head: { method, target } }) {
      if (method !== 'OPTIONS') return undefined
      // RFC 9110 section 9.3.7: `*` is the server as a whole.
      return target !== '*' && isElsewhere(target)
        ? { kind: 'not-found', path: pathOf(target) }
        : described
    },
    requestLine(exchange) {
      const { method, target } = exchange.head
      if (isElsewhere(target)) return { kind: 'not-found', path: pathOf(target) }
      if (method !== 'POST') return { kind: 'only-post', method }
      exchange.hasBody = true
      return undefined
    },
  }
}

/** Responses are never streams, which a client must accept too: that is not required. */
function createAcceptStage(): McpStage {
  const acceptsJson = memo((accept) => chooseType(accept, ['application/json']) !== undefined)
  return ({ head }) =>
    acceptsJson(fieldValue(head.headers, 'accept')) ? undefined : { kind: 'json-not-accepted' }
}

function createContentStage(settings: McpSettings): McpStage {
  const checkContent = createContentCheck(settings)
  return ({ head }) => checkContent(head)
}
