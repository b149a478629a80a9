import { describeFacts, servedPath } from '../handler/describe-facts.js'
import { drive } from '../handler/road/driver.js'
import { beginFacts } from '../handler/road/facts.js'
import { createTools } from '../handler/steps/endpoint-tools.js'
import { createClock, createFinisher } from '../handler/steps/finish.js'
import { isRequestTraced, traceRequest } from '../handler/trace-request.js'
import { memo } from '../http/memo.js'
import { headOf, toHandler, type Handler, type Request } from '../http/message.js'
import { chooseType } from '../http/negotiate.js'
import { createContentCheck } from '../over-http/request/check-head.js'
import { checkOptions } from '../shapes/shape.js'
import { createAnswers } from './answer-message.js'
import { mcpShape, resolveMcpOptions, type McpOptions } from './mcp-options.js'
import { mcpRoad, type McpTools } from './mcp-road.js'
import { createResultWriter, McpSurface } from './mcp-surface.js'
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
    checkContent: createContentCheck(settings),
  }
  const now = createClock(settings)
  const kit = { settings, write: createResultWriter(settings), finish: createFinisher(settings) }
  return toHandler((asked, answer) => {
    const facts = beginFacts(headOf(asked), now())
    const surface = new McpSurface(kit, facts)
    const travel = (request: Request, done: typeof answer): void =>
      drive({ road: mcpRoad(request, surface, tools, facts), surface, facts }, tools, done)
    if (!isRequestTraced()) return travel(asked, answer)
    traceRequest(
      asked,
      travel,
      (message) => {
        describeFacts(message, facts, engine)
        message.route = servedPath(facts, settings.path)
        message.isTrusted = facts.operation === undefined ? undefined : true
      },
      answer,
    )
  })
}
