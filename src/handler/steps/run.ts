import type { Outcome } from '../../base/outcome.js'
import { isPromise } from '../../base/promise.js'
import type { ExecutionInput } from '../../graphql/execute/arguments.js'
import type { Operation } from '../../graphql/execute/operation.js'
import type { Incremental, Result, Whole } from '../../graphql/execute/result.js'
import type { MaybePromise } from '../../http/message.js'
import { OperationRequest } from '../../options/operation-request.js'
import type { Settings } from '../../options/settings.js'
import type { Facts } from '../road/facts.js'
import { surround, type ReplyView } from './around.js'
import { askDenial, askHook } from './ask-hook.js'
import type { EndpointTools } from './endpoint-tools.js'
import { stop, wait, type Kinded, type Road, type Stop, type Surface } from '../road/road.js'

/** An operation, how it is executed, and what `around` sees of the reply. */
interface RunPlan<Out extends object, Why extends Kinded> {
  readonly operation: Operation
  readonly view: ReplyView<Out>
  readonly execute: (input: ExecutionInput) => Road<Out, Why>
}

/** The last part of all roads: `admit`, `around`, context and execution. */
export function runWith<Out extends object, Why extends Kinded = Stop>(
  run: RunPlan<Out, Why>,
  surface: Surface<Out, Why | Stop>,
  tools: EndpointTools,
  facts: Facts,
): Road<Out, Why | Stop> {
  const { admit, around, context, clientOf } = tools.settings
  facts.at = 'admit'
  const request = new OperationRequest(
    facts.head,
    facts.principal,
    run.view.via,
    run.operation,
    facts.cancellation,
    clientOf,
  )
  facts.request = request
  // Most executions have no hooks around them, and a generator costs time.
  return admit === undefined && around.length === 0 && context === undefined
    ? run.execute(toInput(run.operation, request, tools.settings, facts))
    : runHooked(run, request, surface, tools, facts)
}

function* runHooked<Out extends object, Why extends Kinded>(
  run: RunPlan<Out, Why>,
  request: OperationRequest,
  surface: Surface<Out, Why | Stop>,
  { settings }: EndpointTools,
  facts: Facts,
): Road<Out, Why | Stop> {
  const { admit, around } = settings
  if (admit !== undefined) {
    const denial = yield* askDenial('admit', admit, request, settings)
    if (denial !== undefined) return yield* stop(denial)
  }
  const innermost = inContext(run, request, settings, facts)
  return yield* around.reduce((road, hook, at) => {
    const isInner = at < around.length - 1
    return surround({ road, surface, view: run.view }, request, hook, settings, facts, isInner)
  }, innermost)
}

function* inContext<Out extends object, Why extends Kinded>(
  { operation, execute }: RunPlan<Out, Why>,
  request: OperationRequest,
  settings: Settings,
  facts: Facts,
): Road<Out, Why | Stop> {
  facts.at = 'context'
  const { context } = settings
  const value = context === undefined ? request : yield* askHook(context, request, settings)
  return yield* execute(toInput(operation, value, settings, facts))
}

function toInput(
  { definition, isIncremental }: Operation,
  contextValue: unknown,
  { rootValue, clientOf }: Settings,
  facts: Facts,
): ExecutionInput {
  facts.at = 'execute'
  const { head, cancellation, followers } = facts
  facts.contextValue = contextValue
  const isStream = isIncremental || definition.operation === 'subscription'
  const client = isStream ? clientOf(head) : undefined
  return { rootValue, contextValue, cancellation, client, followers }
}

/** Executes an operation whose results are only sent, and responds to it. `format` is that of its parts, if it has any. */
export function* executeToReply<Out>(
  operation: Operation,
  format: Incremental['format'] | undefined,
  input: ExecutionInput,
  responder: { respond(result: Result, operation: Operation): Out | Promise<Out> },
  { settings, engine, starters }: EndpointTools,
  facts: Facts,
): Road<Out> {
  const isSubscription = operation.definition.operation === 'subscription'
  const executing: MaybePromise<Outcome<Result, Stop>> = isSubscription
    ? starters.subscribeToSend(operation, input)
    : format === undefined
      ? engine.executeToSend(operation, input)
      : starters.executeIncrementally(operation, input, format)
  const isWhole = !isSubscription && format === undefined
  if (isWhole && settings.onResult !== undefined) facts.execution = engine.describe(operation)
  const executed = isPromise(executing) ? yield* wait(executing) : executing
  if (!executed.ok) {
    facts.execution = undefined
    return yield* stop(executed.reason)
  }
  facts.result = executed.value
  facts.at = 'respond'
  const response = responder.respond(executed.value, operation)
  return isPromise(response) ? yield* wait(response) : response
}

/** Runs an operation that has one result, and responds to it. */
export function runWhole<Out extends object, Why extends Kinded = Stop>(
  run: Omit<RunPlan<Out, Stop>, 'execute'> & { respond(result: Whole): Out },
  surface: Surface<Out, Why | Stop>,
  tools: EndpointTools,
  facts: Facts,
): Road<Out, Why | Stop> {
  const { operation, view } = run
  const start = (input: ExecutionInput): Road<Out> =>
    executeToReply(operation, undefined, input, run, tools, facts)
  return runWith<Out, Why | Stop>({ operation, view, execute: start }, surface, tools, facts)
}
