import type { Outcome } from '../base/outcome.js'
import type { ExecutionInput } from '../graphql/execute/arguments.js'
import type { Result } from '../graphql/execute/result.js'
import type { MaybePromise } from '../http/message.js'
import type { Operation } from '../graphql/execute/operation.js'
import { checkParsed } from '../over-http/request/read-body.js'
import type { Facts } from './road/facts.js'
import { stop, wait, type Road, type Stop } from './road/road.js'
import {
  viewOfReplies,
  type SocketReply,
  type SocketSurface,
  type SocketTools,
} from './socket-surface.js'
import { checkRoom, prepare } from './steps/prepare.js'
import { runWith } from './steps/run.js'

/** An operation over a socket: its payload is what HTTP has in the body, and the limits are the same. */
export function* socketRoad(
  payload: unknown,
  surface: SocketSurface,
  tools: SocketTools,
  facts: Facts,
): Road<SocketReply> {
  const { settings, engine, gate } = tools
  const overload = gate.check(facts.head)
  if (overload !== undefined) return yield* stop(overload)
  const json = checkParsed(payload, settings)
  if (!json.ok) return yield* stop(json.reason)
  const named = tools.readParams(json.value, facts.head)
  if (!named.ok) return yield* stop(named.reason)
  const operation = yield* prepare(named.value, tools, facts)
  facts.at = 'check'
  const type = operation.definition.operation
  const takesAll = settings.webSocketOperations === 'all' || tools.transport === 'in-process'
  if (!takesAll && type !== 'subscription') {
    return yield* stop({ kind: 'not-over-websocket', type })
  }
  const refusal =
    checkRoom(operation, facts.head, true, tools) ?? engine.checkCost(operation, facts)
  if (refusal !== undefined) return yield* stop(refusal)

  const start = (input: ExecutionInput): Road<SocketReply> =>
    execute(operation, input, surface, tools, facts)
  const view = viewOfReplies(tools.streams)
  return yield* runWith({ operation, view, execute: start }, surface, tools, facts)
}

/** Executes an operation in the way that its client can read. */
function* execute(
  operation: Operation,
  input: ExecutionInput,
  surface: SocketSurface,
  tools: SocketTools,
  facts: Facts,
): Road<SocketReply> {
  const { starters, streams } = tools
  const takesParts = operation.isIncremental && tools.transport === 'websocket'
  const inParts = takesParts && streams.hasRoomFor(operation, input.client)
  const executing: MaybePromise<Outcome<Result, Stop>> =
    operation.definition.operation === 'subscription'
      ? starters.subscribeToSend(operation, input)
      : inParts
        ? starters.executeIncrementally(operation, input, 'v0.2')
        : tools.executeToSend(operation, input, facts)
  const executed = yield* wait(executing)
  if (!executed.ok) return yield* stop(executed.reason)
  facts.result = executed.value
  facts.at = 'respond'
  return surface.respond(executed.value, operation)
}
