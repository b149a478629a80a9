import type { ExecutionInput } from '../graphql/execute/arguments.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Result } from '../graphql/execute/result.js'
import type { HttpResponse } from '../http/message.js'
import { checkParsed } from '../over-http/request/read-body.js'
import type { ParamsReader } from '../over-http/request/read-params.js'
import type { Program } from '../streams/program.js'
import type { Streams } from '../streams/streams.js'
import type { Facts } from './road/facts.js'
import { stop, type Road, type Stop, type Surface } from './road/road.js'
import { jsonOf, type ReplyView } from './steps/around.js'
import { describeStop, writeResult } from './steps/describe-reply.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import type { Finisher } from './steps/finish.js'
import { createIncrementalProgram } from './steps/incremental-program.js'
import { checkRoom, prepare } from './steps/prepare.js'
import { SubscriptionProgram, type SubscriptionKit } from './steps/program.js'
import { executeToReply, runWith } from './steps/run.js'

/**
 * What an operation over a socket gives: errors as a JSON list, one result as JSON, or a stream of them. Its status is
 * that of a response over HTTP.
 */
export type SocketReply = { readonly status: number } & (
  | { readonly errors: string }
  | { readonly result: string }
  | { readonly program: Program }
)

export interface SocketTools extends EndpointTools, SubscriptionKit {
  readonly readParams: ParamsReader
  readonly report: Finisher | undefined
  readonly transport: 'websocket' | 'in-process'
}

/** An operation over a socket: its payload is what HTTP has in the body, and the limits are the same. */
export function* socketRoad(payload: unknown, surface: SocketSurface): Road<SocketReply> {
  const { tools, facts } = surface
  const { settings, engine, gate } = tools
  const overload = gate.check(facts.head)
  if (overload !== undefined) return yield* stop(overload)
  const json = checkParsed(payload, settings)
  if (!json.ok) return yield* stop(json.reason)
  const operation = yield* prepare(tools.readParams(json.value, facts.head), tools, facts)
  facts.at = 'check'
  const type = operation.definition.operation
  const takesAll = settings.webSocketOperations === 'all' || tools.transport === 'in-process'
  if (!takesAll && type !== 'subscription') {
    return yield* stop({ kind: 'not-over-websocket', type })
  }
  const refusal =
    checkRoom(operation, facts.head, true, tools) ?? engine.checkCost(operation, facts)
  if (refusal !== undefined) return yield* stop(refusal)

  const takesParts = operation.isIncremental && tools.transport === 'websocket'
  const start = (input: ExecutionInput): Road<SocketReply> => {
    const isInParts = takesParts && tools.streams.hasRoomFor(operation, input.client)
    const format = isInParts ? 'v0.2' : undefined
    return executeToReply(operation, format, input, surface, tools, facts)
  }
  const view = viewOfReplies(tools.streams)
  return yield* runWith({ operation, view, execute: start }, surface, tools, facts)
}

/** Responds to an operation over a socket, which has no status and no headers. */
export class SocketSurface implements Surface<SocketReply> {
  readonly tools: SocketTools
  readonly facts: Facts

  constructor(tools: SocketTools, facts: Facts) {
    this.tools = tools
    this.facts = facts
  }

  toResponse(why: Stop): SocketReply {
    const { errors, status } = describeStop(why, this.tools.settings, this.facts)
    return { errors: JSON.stringify(errors), status }
  }

  respond(result: Result, operation: Operation): SocketReply {
    const { settings } = this.tools
    const facts = this.facts
    facts.hasData = true
    if (result.kind === 'events') {
      return { status: 200, program: new SubscriptionProgram(result, facts, this.tools) }
    }
    if (result.kind === 'incremental') {
      const program = createIncrementalProgram(result, operation, this.tools, facts)
      return { status: 200, program }
    }
    const name = operation.definition.name?.value
    const { text, status } = writeResult(result, name, settings, facts)
    return { result: text, status }
  }

  finish(reply: SocketReply): SocketReply {
    this.tools.report?.(toResponse(reply), this.facts)
    return reply
  }

  discard(late: SocketReply): void {
    if ('program' in late) this.tools.streams.discard(late.program)
  }
}

/** What `onResult` sees: the response that the operation would have over HTTP. */
function toResponse(reply: SocketReply): HttpResponse {
  const body = 'errors' in reply ? reply.errors : 'result' in reply ? reply.result : ''
  return { status: reply.status, headers: [], body }
}

function viewOfReplies(streams: Streams): ReplyView<SocketReply> {
  return {
    via: 'websocket',
    show(reply) {
      const response = toResponse(reply)
      if ('errors' in reply) return { ...response, body: `{"errors":${reply.errors}}` }
      if ('result' in reply) return response
      const discard = (): void => streams.discard(reply.program)
      return { ...response, body: { open: refuseToOpen, discard } }
    },
    take: (response, made) => ({
      ...(made ?? { result: jsonOf(response) }),
      status: response.status,
    }),
  }
}

function refuseToOpen(): never {
  throw new TypeError('around: a stream over a WebSocket is opened by its socket.')
}
