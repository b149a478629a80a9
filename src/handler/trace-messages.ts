import type {
  DocumentNode,
  ExecutionResult,
  GraphQLError,
  GraphQLFormattedError,
  GraphQLSchema,
  OperationTypeNode,
} from 'graphql'
import type { ExecutionKind } from '../graphql/execute/execution.js'
import type { ExecutionFollower, Surrounded } from '../graphql/js/tracing.js'
import type { HttpResponse, RequestHead } from '../http/message.js'
import type { StreamTrace } from './steps/play-stream.js'

/** The tracing channels by name, with the message of each. */
export interface TraceMessages {
  readonly 'graphwire:request': RequestTrace
  readonly 'graphwire:operation': OperationTrace
  readonly 'graphwire:stream': StreamTrace
  readonly 'graphql:parse': ParseTrace
  readonly 'graphql:validate': ValidateTrace
  readonly 'graphql:execute': ExecuteTrace
  /** `result` is that of starting the subscription. */
  readonly 'graphql:subscribe': Omit<ExecuteTrace, 'result'>
}

/** The message that subscribers of `tracing:graphwire:request:*` get: one object per request. */
export interface RequestTrace extends FollowedTrace {
  /** Set once the response is ready. */
  result?: HttpResponse
}

/** The message of an operation over a WebSocket, or in process: one object per operation. */
export interface OperationTrace extends FollowedTrace {
  readonly transport: 'websocket' | 'in-process'
  /** Set once its result is ready, or its stream begins: the status that it would have over HTTP. */
  result?: { readonly status: number }
}

/**
 * The message of `graphwire:arrival`, which is published before anything is made for a trace: a request costs hardly
 * more than this if nothing follows it.
 */
export interface Arrival {
  readonly head: RequestHead
  readonly transport: 'http' | OperationTrace['transport']
  /** Subscribers add themselves to get the trace of this request as if they had subscribed to its channel. */
  readonly followers: Follower[]
}

/** Gets the trace of one request or operation. */
export interface Follower extends ExecutionFollower {
  /** An operation begins. What it returns is called at its end, when the message has `result`, or `error` if it threw. */
  execute?(message: ExecuteTrace): (() => void) | undefined

  /** May set `around`. Without it, the request has no context. */
  begin?(message: FollowedTrace): void
  /** Once there is a result, or without one if the client has gone. */
  end(message: FollowedTrace): void
}

/** What the messages of requests and operations have in common. */
export interface FollowedTrace extends RequestFacts, Surrounded {
  /** The head of the request; of an operation over a WebSocket, that of the handshake. */
  readonly head: RequestHead
  /** The target as the client sent it, even if a router has removed a prefix. */
  readonly target: string
  readonly result?: { readonly status: number }
}

/** What was found out about a request, set together with its result. */
export interface RequestFacts {
  /** The path that is served, or the template of a route's path; undefined for other paths. */
  readonly route?: string | undefined
  readonly operationName?: string | undefined
  readonly operationType?: OperationTypeNode | undefined
  /** Whether the server wrote the operation, as those of routes: then its name is safe as a label. */
  readonly isTrusted?: boolean | undefined
  /** The id of a stored document. */
  readonly documentId?: string | undefined
  /** The source text of the document. */
  readonly document?: string | undefined
  /** Whether the document was in the cache; undefined if none was looked for, and for routes. */
  readonly documentCached?: boolean | undefined
  readonly cost?: number | undefined
  /** How the operation was executed; undefined if it was not, and for routes and streams. */
  readonly execution?: ExecutionKind | undefined
  /** The errors of the response as the client sees them. */
  readonly errors?: readonly GraphQLFormattedError[] | undefined
  /** Whether the response has `data`, even if null. Undefined for a body that `around` made. */
  readonly hasData?: boolean | undefined
}

/** Facts as they are written: into the message itself, since to make and copy an object costs more than the rest of a trace. */
export type TraceFacts = { -readonly [Name in keyof RequestFacts]: RequestFacts[Name] }

/** Parsing of a document. */
export interface ParseTrace extends Surrounded {
  readonly source: string
  readonly result?: DocumentNode
  readonly error?: unknown
}

/** Validation of a document; the result is the list of errors. */
export interface ValidateTrace extends Surrounded {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly result?: readonly GraphQLError[]
  readonly error?: unknown
}

/** Execution of an operation. */
export interface ExecuteTrace extends Surrounded {
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
