import { createRunner } from '../handler/runner.js'
import { createSurround } from '../handler/stages/around.js'
import { createCredentials } from '../handler/stages/credentials.js'
import { createClock } from '../handler/stages/finish.js'
import { createOperationStages } from '../handler/stages/operation-stages.js'
import { createSender, createServices, type Services } from '../handler/stages/run-operation.js'
import { inOrder, type Stages } from '../handler/stages/stage.js'
import { describeExchange, servedPath } from '../handler/describe-exchange.js'
import { traceExchanges } from '../handler/trace-request.js'
import type { Handler } from '../http/message.js'
import { checkFraming } from '../over-http/request/check-head.js'
import { checkOptions } from '../shapes/shape.js'
import { Streams } from '../streams/streams.js'
import {
  createAcceptStage,
  createContentStage,
  createMethodStages,
  createOriginStage,
} from './head-stages.js'
import { beginMcpExchange, type McpExchange, type McpStage } from './mcp-exchange.js'
import { mcpShape, resolveMcpOptions, type McpOptions, type McpSettings } from './mcp-options.js'
import { createMcpSurface } from './mcp-surface.js'
import { createMessageStage } from './message-stage.js'
import type { McpRefusal } from './message/mcp-refusals.js'
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
    describe: (exchange) => ({
      ...describeExchange(exchange, engine),
      route: servedPath(exchange, settings.path),
      isTrusted: exchange.operation === undefined ? undefined : true,
    }),
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
