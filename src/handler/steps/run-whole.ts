import type { Operation } from '../../graphql/execute/operation.js'
import type { Whole } from '../../graphql/execute/result.js'
import type { OperationRequest } from '../../options/operation-request.js'
import type { Facts } from '../road/facts.js'
import { stop, wait, type Kinded, type Road, type Stop } from '../road/road.js'
import type { Surface } from '../road/surface.js'
import { admit, toOperationRequest } from './admit.js'
import { surround, type ReplyView } from './around.js'
import { askHook } from './ask-hook.js'
import { executeToSend, type EndpointTools } from './endpoint-tools.js'
import { toInput } from './make-input.js'

/** An operation with one result, and what becomes of it. */
interface WholeRun<Out extends object> {
  readonly operation: Operation
  readonly view: ReplyView<Out>
  readonly respond: (result: Whole) => Out
}

/** The last part of a road whose operations have one result each: `admit`, `around`, context, execution and response. */
export function* runWhole<Out extends object, Why extends Kinded>(
  run: WholeRun<Out>,
  surface: Surface<Out, Why | Stop>,
  tools: EndpointTools,
  facts: Facts,
): Road<Out, Why | Stop> {
  const { settings } = tools
  const admitted = toOperationRequest(run.operation, facts)
  if (settings.admit !== undefined) yield* admit(admitted, settings.admit, settings)
  const road = execute(run, admitted, tools, facts)
  const inner = { road, surface, view: run.view }
  return settings.around === undefined
    ? yield* road
    : yield* surround(inner, admitted, settings.around, settings, facts)
}

function* execute<Out extends object>(
  { operation, respond }: WholeRun<Out>,
  admitted: OperationRequest,
  tools: EndpointTools,
  facts: Facts,
): Road<Out> {
  const { settings } = tools
  facts.at = 'context'
  const contextValue =
    settings.context === undefined ? admitted : yield* askHook(settings.context, admitted, settings)
  const input = toInput(operation, contextValue, settings, facts)
  facts.at = 'execute'
  const executed = yield* wait(executeToSend(operation, input, tools, facts))
  if (!executed.ok) return yield* stop(executed.reason)
  facts.result = executed.value
  facts.at = 'respond'
  return respond(executed.value)
}
