import type { Outcome } from '../base/outcome.js'
import type { Result } from '../graphql/execute/result.js'
import type { MaybePromise } from '../http/message.js'
import type { OperationRequest } from '../options/operation-request.js'
import type { Operation } from '../graphql/execute/operation.js'
import { checkParsed } from '../over-http/request/read-body.js'
import { noteOperation, type Facts } from './road/facts.js'
import { stop, wait, type Road, type Stop } from './road/road.js'
import { viewOfReplies, type SocketReply, type SocketSurface } from './socket-surface.js'
import { admit, toOperationRequest } from './steps/admit.js'
import { surround } from './steps/around.js'
import { askHook } from './steps/ask-hook.js'
import { checkRoom, executeToSend, type EndpointTools } from './steps/endpoint-tools.js'
import { findDocument, findsDocuments } from './steps/stored-documents.js'
import { toInput } from './steps/make-input.js'
import type { ParamsReader } from './steps/read-params.js'

/** What the operations of the sockets of an endpoint share. */
export interface SocketTools extends EndpointTools {
  readonly readParams: ParamsReader
}

/** An operation over a socket: its payload is what HTTP has in the body, and the limits are the same. */
export function* socketRoad(
  payload: unknown,
  surface: SocketSurface,
  tools: SocketTools,
  facts: Facts,
): Road<SocketReply> {
  const { settings, engine, gate } = tools
  const overload = gate.check()
  if (overload !== undefined) return yield* stop(overload)
  const json = checkParsed(payload, settings)
  if (!json.ok) return yield* stop(json.reason)
  const named = tools.readParams(json.value, facts.head)
  if (!named.ok) return yield* stop(named.reason)
  facts.params = named.value.params
  facts.documentName = named.value.name
  const { params, isNew } = findsDocuments(settings)
    ? yield* findDocument(named.value, settings, facts)
    : { params: named.value.params, isNew: false }

  facts.at = 'schema'
  const schema =
    typeof settings.schema === 'function' ? yield* tools.findSchema(facts) : settings.schema
  facts.documentCached = true
  const prepared = engine.prepare(schema, params, facts)
  if (!prepared.ok) return yield* stop(prepared.reason)
  const operation = prepared.value
  noteOperation(facts, operation)
  if (isNew) tools.saveDocument(params, facts)
  const type = operation.definition.operation
  if (settings.webSocketOperations === 'subscriptions' && type !== 'subscription') {
    return yield* stop({ kind: 'not-over-websocket', type })
  }
  const refusal =
    checkRoom(operation, facts.head, true, tools) ?? engine.checkCost(operation, facts)
  if (refusal !== undefined) return yield* stop(refusal)

  const admitted = toOperationRequest(operation, facts)
  if (settings.admit !== undefined) yield* admit(admitted, settings.admit, settings)
  const road = execute(operation, admitted, surface, tools, facts)
  if (settings.around === undefined) return yield* road
  const inner = { road, surface, view: viewOfReplies(tools.streams) }
  return yield* surround(inner, admitted, settings.around, settings, facts)
}

/** From the context value to the reply. */
function* execute(
  operation: Operation,
  admitted: OperationRequest,
  surface: SocketSurface,
  tools: SocketTools,
  facts: Facts,
): Road<SocketReply> {
  const { settings, starters, streams } = tools
  const contextValue =
    settings.context === undefined ? admitted : yield* askHook(settings.context, admitted, settings)
  const input = toInput(operation, contextValue, settings, facts)
  const inParts = operation.isIncremental && streams.hasRoomFor(operation, input.client)
  const executing: MaybePromise<Outcome<Result, Stop>> =
    operation.definition.operation === 'subscription'
      ? starters.subscribeToSend(operation, input)
      : inParts
        ? starters.executeIncrementally(operation, input, 'v0.2')
        : executeToSend(operation, input, tools, facts)
  const executed = yield* wait(executing)
  if (!executed.ok) return yield* stop(executed.reason)
  facts.result = executed.value
  return surface.respond(executed.value, operation)
}
