import { isTraced, publishSettled, tracingChannel } from './engine/tracing.js'
import {
  wantsBody,
  type Answer,
  type Handler,
  type HttpResponse,
  type Reply,
  type RequestHead,
  type WantsBody,
} from './http/message.js'
import { isPromise } from './promise.js'

/** What subscribers of `tracing:graphwire:request:*` get: one message per request. */
export interface RequestTrace {
  readonly head: RequestHead
  /** The answer, once it is there. */
  result?: HttpResponse
}

/**
 * Publishes one trace per request on `graphwire:request`, from its head to its answer, and runs the
 * rest of a request with a body in the async context of its start. Without a subscriber the cost is
 * one flag.
 */
export function traceRequests<Raw = unknown>(handle: Handler<Raw>): Handler<Raw> {
  const channel = tracingChannel('graphwire:request')
  if (channel === undefined) return handle

  return (head) => {
    if (!isTraced(channel)) return handle(head)
    const message: RequestTrace = { head }
    const done = (response: HttpResponse): HttpResponse => {
      message.result = response
      publishSettled(channel, message)
      return response
    }
    const finish = (answer: Answer): Answer =>
      isPromise(answer) ? answer.then(done) : done(answer)

    return channel.start.runStores(message, (): Reply => {
      const inContext = contextRunner()
      const go = (reply: HttpResponse | WantsBody): HttpResponse | WantsBody | Answer => {
        if (!wantsBody(reply)) return done(reply)
        const { maxBytes, proceed } = reply
        return { maxBytes, proceed: (body) => inContext(() => finish(proceed(body))) }
      }
      const reply = handle(head)
      if (isPromise(reply)) {
        channel.end.publish(message)
        return reply.then(go)
      }
      if (!wantsBody(reply)) message.result = reply
      channel.end.publish(message)
      return wantsBody(reply) ? go(reply) : reply
    })
  }
}

/** Runs functions in the async context of now. */
function contextRunner(): <Value>(work: () => Value) => Value {
  const { AsyncResource } = globalThis.process.getBuiltinModule('node:async_hooks')
  const resource = new AsyncResource('graphwire:request')
  return (work) => resource.runInAsyncScope(work)
}
