import type {
  DocumentNode,
  ExecutionResult,
  GraphQLError,
  GraphQLSchema,
  OperationTypeNode,
} from 'graphql'
import { isPromise } from '../base/promise.js'
import { isTraced, publishSettled, tracingChannel } from '../graphql/js/tracing.js'
import type { StreamTrace } from './stages/play-stream.js'
import {
  wantsBody,
  type AwaitableResponse,
  type Handler,
  type HttpResponse,
  type Reply,
  type RequestHead,
  type WantsBody,
} from '../http/message.js'

/** The message that subscribers of `tracing:graphwire:request:*` get: one object per request. */
export interface RequestTrace {
  readonly head: RequestHead
  /** The target as the client sent it, even if a router has removed a prefix. */
  readonly target: string
  /** Set once the response is ready. */
  result?: HttpResponse
}

/**
 * Publishes one trace per request on `graphwire:request`, from its head to its response. The body is
 * processed in the async context of the head. Without a subscriber this costs one flag.
 */
export function traceRequests<Raw = unknown>(handle: Handler<Raw>): Handler<Raw> {
  const channel = tracingChannel('graphwire:request')
  if (channel === undefined) return handle

  return (head) => {
    if (!isTraced(channel)) return handle(head)
    const message: RequestTrace = { head, target: head.originalTarget ?? head.target }
    const done = (response: HttpResponse): HttpResponse => {
      message.result = response
      publishSettled(channel, message)
      return response
    }
    const finish = (response: AwaitableResponse): AwaitableResponse =>
      isPromise(response) ? response.then(done) : done(response)

    return channel.start.runStores(message, (): Reply => {
      const inContext = contextRunner()
      const go = (
        reply: HttpResponse | WantsBody,
      ): HttpResponse | WantsBody | AwaitableResponse => {
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

/** Publishes the trace of a request that had its response at once, such as a handshake. */
export function traceResponse(head: RequestHead, result: HttpResponse): void {
  const channel = tracingChannel('graphwire:request')
  if (!isTraced(channel)) return
  const message: RequestTrace = { head, target: head.originalTarget ?? head.target }
  channel.start.runStores(message, () => {
    message.result = result
    channel.end.publish(message)
  })
}

/** Captures the current async context: runs functions in it. */
function contextRunner(): <Value>(work: () => Value) => Value {
  const { AsyncResource } = globalThis.process.getBuiltinModule('node:async_hooks')
  const resource = new AsyncResource('graphwire:request')
  return (work) => resource.runInAsyncScope(work)
}

/** The tracing channels by name, with the message of each. */
export interface TraceMessages {
  readonly 'graphwire:request': RequestTrace
  readonly 'graphwire:stream': StreamTrace
  readonly 'graphql:parse': ParseTrace
  readonly 'graphql:validate': ValidateTrace
  readonly 'graphql:execute': ExecuteTrace
  /** `result` is that of starting the subscription. */
  readonly 'graphql:subscribe': Omit<ExecuteTrace, 'result'>
}

/** Parsing of a document. */
export interface ParseTrace {
  readonly source: string
  readonly result?: DocumentNode
  readonly error?: unknown
}

/** Validation of a document; the result is the list of errors. */
export interface ValidateTrace {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly result?: readonly GraphQLError[]
  readonly error?: unknown
}

/** Execution of an operation. */
export interface ExecuteTrace {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operationName: string | undefined
  readonly operationType: OperationTypeNode | undefined
  readonly rawVariableValues: { readonly [name: string]: unknown } | null | undefined
  readonly result?: ExecutionResult
  readonly error?: unknown
}

/** `tracingChannel(name)` of `node:diagnostics_channel` with typed messages. */
export interface TracingChannelOf<Name extends keyof TraceMessages> extends Channels<
  TraceMessages[Name]
> {
  subscribe(subscribers: TraceSubscribers<Name>): void
  unsubscribe(subscribers: TraceSubscribers<Name>): void
}

/** Subscribers to some of the events of a channel. */
export type TraceSubscribers<Name extends keyof TraceMessages> = {
  readonly [Event in keyof Channels<unknown>]?: (message: TraceMessages[Name]) => void
}

interface Channels<Message> {
  readonly start: ChannelOf<Message>
  readonly end: ChannelOf<Message>
  readonly asyncStart: ChannelOf<Message>
  readonly asyncEnd: ChannelOf<Message>
  readonly error: ChannelOf<Message>
}

/** One event of a tracing channel; a store bound to `start` applies to all of the work. */
interface ChannelOf<Message> {
  readonly hasSubscribers: boolean
  bindStore<Store>(store: StoreOf<Store>, transform?: (message: Message) => Store): void
  unbindStore(store: StoreOf<unknown>): boolean
}

interface StoreOf<Store> {
  getStore(): Store | undefined
}
