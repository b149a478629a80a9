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
import type { OperationTrace, RequestFacts, RequestTrace } from './trace-messages.js'

/**
 * Publishes one trace per request on `graphwire:request`, from its head to its response. The body is
 * processed in the async context of the head. Without a subscriber this costs one flag.
 */
export function traceRequests<Raw = unknown>(handle: Handler<Raw>): Handler<Raw> {
  const channel = tracingChannel('graphwire:request')
  if (channel === undefined) return handle
  return (head) =>
    isTraced(channel) ? traceReply(channel, head, () => handle(head), noFacts) : handle(head)
}

/** How requests of a handler are begun and run, and what their traces say of them. */
interface Traceable<On> {
  readonly begin: (head: RequestHead) => On
  readonly run: (exchange: On) => Reply
  readonly describe: (exchange: On) => RequestFacts
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
      () => describe(exchange),
    )
  }
}

function traceReply(
  channel: TracingChannel,
  head: RequestHead,
  handle: () => Reply,
  describe: () => RequestFacts,
): Reply {
  const message: RequestTrace = { head, target: head.originalTarget ?? head.target }
  const done = (response: HttpResponse): HttpResponse => {
    Object.assign(message, describe(), { result: response })
    publishSettled(channel, message)
    return response
  }
  const finish = (response: AwaitableResponse): AwaitableResponse =>
    isPromise(response) ? response.then(done) : done(response)

  return startTrace(channel, message, (): Reply => {
    const inContext = contextRunner()
    const go = (reply: HttpResponse | WantsBody): HttpResponse | WantsBody | AwaitableResponse => {
      if (!wantsBody(reply)) return done(reply)
      let isWaiting = true
      // The client has gone while it sent the body: there will be no response.
      head.onClientGone?.(() => {
        if (isWaiting) publishSettled(channel, Object.assign(message, describe()))
        isWaiting = false
      })
      return {
        maxBytes: reply.maxBytes,
        proceed: (body) => {
          isWaiting = false
          return inContext(() => finish(reply.proceed(body)))
        },
      }
    }
    const reply = handle()
    if (isPromise(reply)) {
      channel.end.publish(message)
      return reply.then(go)
    }
    if (!wantsBody(reply)) Object.assign(message, describe(), { result: reply })
    channel.end.publish(message)
    return wantsBody(reply) ? go(reply) : reply
  })
}

function noFacts(): RequestFacts {
  return {}
}

/** Publishes the trace of a request that had its response at once, such as a handshake. */
export function traceResponse(head: RequestHead, result: HttpResponse, facts: RequestFacts): void {
  const channel = tracingChannel('graphwire:request')
  if (!isTraced(channel)) return
  const message: RequestTrace = { head, target: head.originalTarget ?? head.target }
  startTrace(channel, message, () => {
    Object.assign(message, facts, { result })
    channel.end.publish(message)
  })
}

/** Publishes one trace per operation of a socket on `graphwire:operation`. */
export function traceOperations<On extends { readonly head: RequestHead }, Out>(
  run: (exchange: On) => Out | Promise<Out>,
  describe: (exchange: On) => RequestFacts,
  statusOf: (reply: Out) => number,
): (exchange: On) => Out | Promise<Out> {
  const channel = tracingChannel('graphwire:operation')
  if (channel === undefined) return run
  return (exchange) => {
    if (!isTraced(channel)) return run(exchange)
    const { head } = exchange
    const target = head.originalTarget ?? head.target
    const message: OperationTrace = { head, target, transport: 'websocket' }
    let reply: Out
    const traced = trace(channel, message, () =>
      andThen<Out, { status: number }>(run(exchange), (late) => {
        reply = late
        Object.assign(message, describe(exchange))
        return { status: statusOf(late) }
      }),
    )
    return andThen(traced, () => reply)
  }
}

/** Captures the current async context: runs functions in it. */
function contextRunner(): <Value>(work: () => Value) => Value {
  const { AsyncResource } = globalThis.process.getBuiltinModule('node:async_hooks')
  const resource = new AsyncResource('graphwire:request')
  return (work) => resource.runInAsyncScope(work)
}
