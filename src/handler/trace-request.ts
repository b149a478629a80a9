import type { TracingChannel } from 'node:diagnostics_channel'
import { andThen, isPromise } from '../base/promise.js'
import {
  isTraced,
  publishSettled,
  startTrace,
  trace,
  tracingChannel,
} from '../graphql/js/tracing.js'
import {
  wantsBody,
  type AwaitableResponse,
  type Handler,
  type HttpResponse,
  type Reply,
  type RequestHead,
  type WantsBody,
} from '../http/message.js'
import type { OperationTrace, OwnFacts, RequestFacts, RequestTrace } from './trace-messages.js'

/**
 * Publishes one trace per request on `graphwire:request`, from its head to its response. The body is
 * processed in the async context of the head. Without a subscriber this costs one flag.
 */
export function traceRequests<Raw = unknown>(handle: Handler<Raw>): Handler<Raw> {
  const channel = tracingChannel('graphwire:request')
  if (channel === undefined) return handle
  return (head) =>
    isTraced(channel) ? traceReply(channel, head, () => handle(head), addNothing) : handle(head)
}

/** How requests of a handler are begun and run, and what their traces say of them. */
interface Traceable<On> {
  readonly begin: (head: RequestHead) => On
  readonly run: (exchange: On) => Reply
  readonly describe: (facts: OwnFacts, exchange: On) => void
}

/** The same for a handler whose exchanges are known: their facts are in the messages. */
export function traceExchanges<On>({ begin, run, describe }: Traceable<On>): Handler {
  const handle: Handler = (head) => run(begin(head))
  const channel = tracingChannel('graphwire:request')
  if (channel === undefined) return handle
  return (head) => {
    if (!isTraced(channel)) return handle(head)
    const exchange = begin(head)
    return traceReply(
      channel,
      head,
      () => run(exchange),
      (facts) => describe(facts, exchange),
    )
  }
}

function traceReply(
  channel: TracingChannel,
  head: RequestHead,
  handle: () => Reply,
  describe: (facts: OwnFacts) => void,
): Reply {
  const message = createMessage(head)
  const done = (response: HttpResponse): HttpResponse => {
    describe(message)
    message.result = response
    publishSettled(channel, message)
    return response
  }
  const finish = (response: AwaitableResponse): AwaitableResponse =>
    isPromise(response) ? response.then(done) : done(response)

  return startTrace(channel, message, (): Reply => {
    const go = (reply: HttpResponse | WantsBody): HttpResponse | WantsBody | AwaitableResponse => {
      if (!wantsBody(reply)) return done(reply)
      // Captures the async context.
      const resource = new hooks.AsyncResource('graphwire:request')
      let isWaiting = true
      // The client has gone while it sent the body: there will be no response.
      head.onClientGone?.(() => {
        if (!isWaiting) return
        isWaiting = false
        describe(message)
        publishSettled(channel, message)
      })
      const proceed =
        <Body>(next: (body: Body) => AwaitableResponse) =>
        (body: Body): AwaitableResponse => {
          isWaiting = false
          return resource.runInAsyncScope(() => finish(next(body)))
        }
      const { maxBytes, proceedInChunks } = reply
      return {
        maxBytes,
        proceed: proceed(reply.proceed),
        proceedInChunks: proceedInChunks && proceed(proceedInChunks),
      }
    }
    const reply = handle()
    if (isPromise(reply)) {
      channel.end.publish(message)
      return reply.then(go)
    }
    if (!wantsBody(reply)) {
      describe(message)
      message.result = reply
    }
    channel.end.publish(message)
    return wantsBody(reply) ? go(reply) : reply
  })
}

/** Present wherever channels are; found once, since that costs more than to use it. */
const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks')

function addNothing(): void {}

/** With all facts from the start, so that messages have one hidden class. */
function createMessage(head: RequestHead): RequestTrace & OwnFacts {
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
  const channel = tracingChannel('graphwire:request')
  if (!isTraced(channel)) return
  const message = createMessage(head)
  startTrace(channel, message, () => {
    Object.assign(message, facts, { result })
    channel.end.publish(message)
  })
}

/** Publishes one trace per operation of a socket on `graphwire:operation`. */
export function traceOperations<On extends { readonly head: RequestHead }, Out>(
  run: (exchange: On) => Out | Promise<Out>,
  describe: (facts: OwnFacts, exchange: On) => void,
  statusOf: (reply: Out) => number,
): (exchange: On) => Out | Promise<Out> {
  const channel = tracingChannel('graphwire:operation')
  if (channel === undefined) return run
  return (exchange) => {
    if (!isTraced(channel)) return run(exchange)
    const message: OperationTrace = { ...createMessage(exchange.head), transport: 'websocket' }
    let reply: Out
    const traced = trace(channel, message, () =>
      andThen<Out, { status: number }>(run(exchange), (late) => {
        reply = late
        describe(message, exchange)
        return { status: statusOf(late) }
      }),
    )
    return andThen(traced, () => reply)
  }
}
