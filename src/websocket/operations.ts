import type { JsonObject } from '../base/json.js'
import type { Outcome } from '../base/outcome.js'
import type { GoneListener, HttpResponse, RequestHead } from '../http/message.js'

/**
 * What a session of graphql-transport-ws needs of an endpoint: identifying the client, and running operations. The
 * session knows the protocol, and nothing of GraphQL; this side knows GraphQL, and nothing of the protocol.
 */
export interface SocketOperations {
  readonly limits: SocketLimits
  /** Checks the head of a handshake, before a socket is opened: its path and its origin, and whether there is room. */
  checkUpgrade(this: void, head: RequestHead): HttpResponse | undefined
  /** Identifies the client of a handshake; undefined if unknown. */
  clientOf(this: void, head: RequestHead): string | undefined
  /** A handshake was answered with 101. */
  opened(this: void, head: RequestHead): void
  /** A handshake was refused. */
  refused(this: void, head: RequestHead, response: HttpResponse): void
  /** A socket that was opened has closed. */
  closed(this: void): void
  /**
   * Identifies the client when `connection_init` arrives. `head` is that of the upgrade, completed by the payload.
   * `onClientGone` registers what is called when the socket closes, and returns a promise if the payload is still in use. Settles
   * in time; throws or rejects for bugs only.
   */
  authenticate(
    this: void,
    head: RequestHead,
    payload: JsonObject | undefined,
    onClientGone: (listener: GoneListener) => void,
  ): Outcome<unknown, SocketDenial> | Promise<Outcome<unknown, SocketDenial>>
  /** Calls `expired`, at most once, when the credentials of a client expire or are revoked. Returns how to stop. */
  watch(this: void, client: SocketClient, expired: () => void): () => void
  /** Starts an operation with the payload of `subscribe`. Never throws: every fault is written. */
  start(this: void, client: SocketClient, payload: unknown, outlet: OperationOutlet): Running
  reportBug(this: void, bug: unknown, client: RequestHead): void
}

/** The limits that sockets share with the other transports; times in milliseconds. */
export interface SocketLimits {
  readonly heartbeat: number
  readonly streamSendTimeout: number
  readonly maxJsonNesting: number
  /** Whether a `subscribe` must have a `query`; otherwise it may name a stored document. */
  readonly needsQuery: boolean
  /** How many of the sockets one client may have open, in percent. */
  readonly clientShare: number
}

export interface SocketClient {
  readonly head: RequestHead
  readonly principal: unknown
  /** Whether it is a function of the same process. Default: false. */
  readonly isInProcess?: boolean
}

/** Why a client was rejected; the message of a denial may be shown. */
export interface SocketDenial {
  /** One that the server has no room to identify may try again. A failure was a bug, which is reported. */
  readonly kind: 'denied' | 'overloaded' | 'failed'
  readonly message: string
}

/** Takes what one operation sends. After `complete` or `error` nothing follows. */
export interface OperationOutlet {
  /** A result as JSON. Returns false if the client reads too slowly: then `resume` follows later. */
  next(result: string): boolean
  complete(): void
  /** The errors that ended the operation, as a JSON list. */
  error(errors: string): void
  /** From now on, what the operation keeps of its message counts as a stream. */
  opened?(): void
  /** Ends the socket, so that its client connects again: none does that for one operation alone. Default: `error`. */
  interrupt?(): void
}

export interface Running {
  /**
   * Whether it may go on for ever. False as long as that is not known: when the server shuts down, streams are
   * stopped, and other operations run to their end.
   */
  readonly isStream: boolean
  /** The client has read what was sent. */
  resume(): void
  /**
   * The client has ended the operation, or has disconnected. Nothing is written any more. Returns a promise if resolvers still
   * run.
   */
  stop(
    cause: 'client-complete' | 'client-gone' | 'shutdown' | 'expired' | 'slow-reader',
  ): PromiseLike<unknown> | void
}

/** The part of an endpoint that hosts for sockets need; `createEndpoint` makes one. */
export interface SocketEndpoint {
  readonly operations: SocketOperations
}

export interface WebSocketCloseOptions {
  /** Close the sockets one after the other within this time, in milliseconds. Default: 5,000. */
  readonly spread?: number | undefined
  /** Cut sockets that are left after this time, in milliseconds. Default: 10,000. */
  readonly deadline?: number | undefined
}
