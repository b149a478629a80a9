import type { TracingChannel } from 'node:diagnostics_channel'
import { inThisContext } from '../base/async-context.js'
import type { Engine } from '../graphql/engine.js'
import type { Operation } from '../graphql/execute/operation.js'
import {
  isTraced,
  messageChannel,
  publishSettled,
  startTrace,
  tracingChannel,
  type ExecutionFollower,
} from '../graphql/js/tracing.js'
import type { Cors } from '../http/cors.js'
import {
  deliverBy,
  headOf,
  toHandler,
  type Handler,
  type HttpResponse,
  type Request,
  type RequestHead,
} from '../http/message.js'
import { hasPath } from '../http/target.js'
import { drive } from './road/driver.js'
import { beginFacts, type Facts } from './road/facts.js'
import { stop, wait, type Kinded, type Road, type Stop, type Surface } from './road/road.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import type {
  Arrival,
  FollowedTrace,
  Follower,
  RequestFacts,
  TraceFacts,
} from './trace-messages.js'

export interface RoadStart<Why extends Kinded = Stop> {
  readonly surface: Surface<HttpResponse, Why>
  readonly road: Road<HttpResponse, Why>
  /** Adds to the trace of the request what only this kind of request knows. */
  readonly describe?: (message: TraceFacts, facts: Facts) => void
}

/** Makes the handler of a kind of request: each is begun, driven along its road, and traced. */
export function createRoadHandler<Raw, Why extends Kinded = Stop>(
  tools: EndpointTools,
  start: (request: Request, facts: Facts) => RoadStart<Why>,
  begin: typeof beginFacts = beginFacts,
): Handler<Raw> {
  const isTimed = tools.settings.onResult !== undefined
  const { decide } = tools.settings.cors
  const depart: (request: Request, facts: Facts) => RoadStart<Why | Stop> =
    decide === undefined
      ? start
      : (request, facts) => {
          const begun = start(request, facts)
          return { ...begun, road: askFirst(decide, begun.road, tools, facts) }
        }
  return toHandler<Raw>((asked, answer, failed) => {
    const facts = begin(headOf(asked), isTimed ? performance.now() : 0)
    if (!isTraced(requestChannel) && arrivals?.hasSubscribers !== true) {
      const { road, surface } = depart(asked, facts)
      return drive({ road, surface, facts }, tools, answer, failed)
    }
    let describe: RoadStart['describe']
    const work: TracedWork<HttpResponse> = {
      head: facts.head,
      transport: 'http',
      begin(done, followers) {
        facts.followers = followers
        const begun = depart(asked, facts)
        describe = begun.describe
        drive({ road: begun.road, surface: begun.surface, facts }, tools, done, failed)
      },
      describe(message) {
        describeFacts(message, facts, tools.engine)
        describe?.(message, facts)
      },
    }
    traceWork(work, answer)
  })
}

/** Every response has headers of CORS, refusals too: so the function of `cors.origins` is asked first, if there is room. */
function* askFirst<Why extends Kinded>(
  decide: NonNullable<Cors['decide']>,
  road: Road<HttpResponse, Why>,
  { gate }: EndpointTools,
  facts: Facts,
): Road<HttpResponse, Why | Stop> {
  facts.at = 'load'
  const overload = gate.check(facts.head)
  if (overload !== undefined) return yield* stop(overload)
  facts.at = 'framing'
  yield* wait(decide(facts.head))
  return yield* road
}

const requestChannel = tracingChannel('graphwire:request')
const operationChannel = tracingChannel('graphwire:operation')
/** Subscribers see a request before anything is made for its trace. */
const arrivals = messageChannel('graphwire:arrival')

/** Publishes one trace per request on `graphwire:request`, from its head to its response. */
export function traceRequests<Raw = unknown>(handler: Handler<Raw>): Handler<Raw> {
  return toHandler((asked, done, failed) => {
    const begin: TracedWork<HttpResponse>['begin'] = (answered) =>
      deliverBy(handler, asked, answered, failed)
    traceWork({ head: headOf(asked), transport: 'http', begin, describe: () => undefined }, done)
  })
}

/** Publishes the trace of a request that had its response at once, such as a handshake. */
export function traceResponse(head: RequestHead, result: HttpResponse, facts: RequestFacts): void {
  const work: TracedWork<HttpResponse> = {
    head,
    transport: 'http',
    begin: (done) => done(result),
    describe: (message) => void Object.assign(message, facts),
  }
  traceWork(work, () => undefined)
}

/** What is traced: a request, or an operation without a request of its own. */
export interface TracedWork<Value> {
  readonly head: RequestHead
  readonly transport: Arrival['transport']
  readonly begin: (done: (value: Value) => void, followers?: readonly ExecutionFollower[]) => void
  /** Adds what was found out to the message. */
  readonly describe: (message: TraceFacts) => void
}

/** Publishes a trace on the channel of its kind, and to those that follow this request alone. */
export function traceWork<Value extends { readonly status: number }>(
  { head, transport, begin, describe }: TracedWork<Value>,
  done: (value: Value) => void,
): void {
  const isRequest = transport === 'http'
  const channel = isRequest ? requestChannel : operationChannel
  const followers = announce(head, transport)
  if (!isTraced(channel) && followers.length === 0) return begin(done)
  const message: WrittenTrace = isRequest
    ? createMessage(head)
    : { ...createMessage(head), transport }
  const complete = (value: Value | undefined): void => {
    isOver = true
    describe(message)
    if (value !== undefined) message.result = isRequest ? value : { status: value.status }
  }
  const settle = (value: Value | undefined): void => {
    if (isOver) return
    complete(value)
    publishSettled(channel, message)
    for (const follower of followers) follower.end(message)
  }
  let isOver = false
  // Most that leave get a response at once, which is only traced. One that leaves while it sends the body gets none.
  const executing = followers.filter((follower) => follower.execute !== undefined)
  const stopWatching = head.onClientGone?.(() => queueMicrotask(() => settle(undefined)))
  for (const follower of followers) follower.begin?.(message)
  // What is sent, perhaps for hours, is not in the context of the trace.
  const hasContext = isTraced(channel) || followers.some((follower) => follower.begin !== undefined)
  const send = hasContext ? inThisContext(done) : done
  let isLate = false
  let early: { readonly value: Value } | undefined
  startTrace(channel as TracingChannel, message, () => {
    begin(
      (value) => {
        // An open stream would keep the request.
        stopWatching?.()
        if (!isLate) return void (early = { value })
        settle(value)
        send(value)
      },
      executing.length > 0 ? executing : undefined,
    )
    if (early !== undefined) complete(early.value)
    isLate = true
    channel?.end.publish(message)
  })
  if (early === undefined) return
  for (const follower of followers) follower.end(message)
  done(early.value)
}

function announce(head: RequestHead, transport: Arrival['transport']): readonly Follower[] {
  if (arrivals?.hasSubscribers !== true) return noFollowers
  const arrival: Arrival = { head, transport, followers: [] }
  arrivals.publish(arrival)
  return arrival.followers
}

const noFollowers: readonly Follower[] = []

/** A message while it is being written. */
type WrittenTrace = FollowedTrace &
  TraceFacts & { readonly transport?: string; result?: { readonly status: number } }

/** With all facts from the start, so that messages have one hidden class. */
function createMessage(head: RequestHead): WrittenTrace {
  return {
    head,
    target: head.originalTarget ?? head.target,
    route: undefined,
    operationName: undefined,
    operationType: undefined,
    isTrusted: undefined,
    documentId: undefined,
    document: undefined,
    documentCached: undefined,
    cost: undefined,
    execution: undefined,
    errors: undefined,
    hasData: undefined,
  }
}

/** Writes what a trace says of a request with GraphQL. */
export function describeFacts(message: TraceFacts, facts: Facts, { describe }: Engine): void {
  const { operation, params, prepared, result } = facts
  const isWhole = result?.kind === 'single' || result?.kind === 'written'
  message.operationName = operation?.name?.value
  message.operationType = operation?.operation
  message.document = params?.query
  message.documentId = params?.documentId
  message.documentCached = facts.documentCached
  message.cost = facts.cost
  message.execution = facts.execution ?? (isWhole ? describe(prepared as Operation) : undefined)
  message.errors = facts.errors
  message.hasData = facts.hasData
}

/** The route of a trace: the path of the handler, if the request is for it. Other paths are any number. */
export function servedPath(
  { head }: Pick<Facts, 'head'>,
  path: string | undefined,
): string | undefined {
  return path !== undefined && hasPath(head.target, path) ? path : undefined
}
