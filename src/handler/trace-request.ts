import type { Channel, TracingChannel } from 'node:diagnostics_channel'
import {
  inThisContext,
  isTraced,
  messageChannel,
  publishSettled,
  startTrace,
  tracingChannel,
} from '../graphql/js/tracing.js'
import {
  deliverBy,
  headOf,
  toHandler,
  type Handler,
  type HttpResponse,
  type RequestHead,
} from '../http/message.js'
import type {
  Arrival,
  FollowedTrace,
  Follower,
  OperationTrace,
  RequestFacts,
  RequestTrace,
  TraceFacts,
} from './trace-messages.js'

export const requestChannel: TracingChannel | undefined = tracingChannel('graphwire:request')
const operationChannel = tracingChannel('graphwire:operation')
/** Subscribers see a request before anything is made for its trace. */
export const arrivals: Channel | undefined = messageChannel('graphwire:arrival')

/** Publishes one trace per request on `graphwire:request`, from its head to its response. */
export function traceRequests<Raw = unknown>(handler: Handler<Raw>): Handler<Raw> {
  return toHandler((asked, done, failed) => {
    const begin: TracedWork<HttpResponse>['begin'] = (answered) =>
      deliverBy(handler, asked, answered, failed)
    traceRequest(headOf(asked), { begin, describe: () => undefined }, done)
  })
}

/** What is traced. */
export interface TracedWork<Value> {
  readonly begin: (done: (value: Value) => void) => void
  /** Adds what was found out to the message. */
  readonly describe: (message: TraceFacts) => void
}

/** Publishes the trace of one request, and describes in it what was found out. */
export function traceRequest(
  head: RequestHead,
  { begin, describe }: TracedWork<HttpResponse>,
  done: (response: HttpResponse) => void,
): void {
  const followers = announce(head, 'http')
  if (!isTraced(requestChannel) && followers.length === 0) return begin(done)
  const message = createMessage(head)
  const trace = new Trace(requestChannel as TracingChannel, message, followers)
  let isOver = false
  const unreceived = (): void => {
    if (isOver) return
    isOver = true
    describe(message)
    trace.settle()
  }
  // Most that leave get a response at once, which is only traced. One that leaves while it sends the body gets none.
  const stopWatching = head.onClientGone?.(() => queueMicrotask(unreceived))
  const note = (response: HttpResponse): boolean => {
    // An open stream would keep the request.
    stopWatching?.()
    if (isOver) return false
    isOver = true
    describe(message)
    message.result = response
    return true
  }
  trace.deliver(begin, note, done)
}

/** Publishes one trace per operation without a request of its own on `graphwire:operation`. */
export function traceOperation<Reply>(
  head: RequestHead,
  transport: OperationTrace['transport'],
  begin: (done: (reply: Reply) => void) => void,
  describe: (message: OperationTrace & TraceFacts, reply: Reply) => void,
  done: (reply: Reply) => void,
): void {
  const followers = announce(head, transport)
  if (!isTraced(operationChannel) && followers.length === 0) return begin(done)
  const message = { ...createMessage(head), transport }
  const note = (reply: Reply): boolean => {
    describe(message, reply)
    return true
  }
  new Trace(operationChannel as TracingChannel, message, followers).deliver(begin, note, done)
}

function announce(head: RequestHead, transport: Arrival['transport']): readonly Follower[] {
  if (arrivals?.hasSubscribers !== true) return noFollowers
  const arrival: Arrival = { head, transport, followers: [] }
  arrivals.publish(arrival)
  return arrival.followers
}

const noFollowers: readonly Follower[] = []

/** Publishes a message on its channel, and to those that follow this request alone. */
class Trace {
  readonly #channel: TracingChannel
  readonly #message: FollowedTrace
  readonly #followers: readonly Follower[]

  constructor(channel: TracingChannel, message: FollowedTrace, followers: readonly Follower[]) {
    this.#channel = channel
    this.#message = message
    this.#followers = followers
  }

  /** Publishes the events of what is delivered, in the tick of `begin` or later. `note` completes the message. */
  deliver<Value>(
    begin: (done: (value: Value) => void) => void,
    note: (value: Value) => boolean,
    done: (value: Value) => void,
  ): void {
    let hasContext = isTraced(this.#channel)
    for (const follower of this.#followers) {
      hasContext ||= follower.begin !== undefined
      follower.begin?.(this.#message)
    }
    // What is sent, perhaps for hours, is not in the context of the trace.
    const send = hasContext ? inThisContext(done) : done
    let isLate = false
    let early: { readonly value: Value } | undefined
    startTrace(this.#channel, this.#message, () => {
      begin((value) => {
        const isOpen = note(value)
        if (!isLate) return void (early = { value })
        if (isOpen) this.settle()
        send(value)
      })
      isLate = true
      this.#channel.end.publish(this.#message)
    })
    if (early === undefined) return
    this.#tellFollowers()
    done(early.value)
  }

  settle(): void {
    publishSettled(this.#channel, this.#message)
    this.#tellFollowers()
  }

  #tellFollowers(): void {
    for (const follower of this.#followers) follower.end(this.#message)
  }
}

/** With all facts from the start, so that messages have one hidden class. */
function createMessage(head: RequestHead): RequestTrace & TraceFacts {
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

/** Publishes the trace of a request that had its response at once, such as a handshake. */
export function traceResponse(head: RequestHead, result: HttpResponse, facts: RequestFacts): void {
  const work: TracedWork<HttpResponse> = {
    begin: (done) => done(result),
    describe: (message) => void Object.assign(message, facts),
  }
  traceRequest(head, work, () => undefined)
}
