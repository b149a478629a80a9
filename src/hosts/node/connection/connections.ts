import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { longTurns } from '../../../base/long-turns.js'
import { Shares } from '../../../base/shares.js'
import { createClientReader, type AddressReader } from '../../../http/client-address.js'
import type { RequestHead } from '../../../http/message.js'
import { Connection, startInPipeline } from './connection.js'
import type { ConnectionSettings } from './connection-options.js'
import { isEndUnclear } from '../exchange/incoming.js'
import { waitForTurn } from '../exchange/request-turns.js'
import { addCuts, cutOfSocket, type Cut } from '../streams/cut.js'
import type { Respond } from './serve-request.js'
import { flowsOf, isStream, socketOf, type OpenFlow } from '../streams/open-flows.js'

/** How a server treats its connections while it serves and while it ends. */
export interface ConnectionPolicy {
  /** Whether readiness is 503 and responses are counted. */
  readonly isDraining: boolean
  /** Whether responses have `Connection: close`. */
  readonly saysClose: boolean
  /** Whether new connections are accepted, or closed at once. */
  readonly takesNew: boolean
}

export const whileServing: ConnectionPolicy = {
  isDraining: false,
  saysClose: false,
  takesNew: true,
}

type ConnectionLimits = Pick<
  ConnectionSettings,
  | 'maxSockets'
  | 'maxRequestsPerSocket'
  | 'clientShare'
  | 'trustedProxies'
  | 'sendTimeout'
  | 'connectionsCheckingInterval'
>

/** The connections of a server, with their requests in flight. */
export class Connections {
  /** How many requests were answered since draining began. */
  finished = 0
  /** How many connections exceeded `maxSockets`. */
  refused = 0
  /** Called when the last connection has closed. */
  onEmpty: (() => void) | undefined
  readonly #open = new Map<Socket, Connection>()
  readonly #limits: ConnectionLimits
  readonly #shares: Shares
  readonly #clientOf: AddressReader = createClientReader(0)
  readonly #onResponseClosed: (this: ServerResponse) => void
  readonly #onClosed: (this: Socket) => void
  readonly #onDecryptedClosed: (this: Socket) => void
  #accepted = 0
  #policy = whileServing

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
    // Behind proxies, connections are those of the proxies, not of clients.
    this.#shares = new Shares(
      limits.maxSockets,
      limits.trustedProxies > 0 ? 100 : limits.clientShare,
    )
    this.#onResponseClosed = withThis((outgoing) => this.#count(outgoing))
    this.#onClosed = withThis((socket) => {
      this.#shares.remove(this.#open.get(socket)?.client)
      this.#forget(socket)
      this.#countDown()
    })
    this.#onDecryptedClosed = withThis((socket) => this.#forget(socket))
  }

  get policy(): ConnectionPolicy {
    return this.#policy
  }

  get size(): number {
    return this.#accepted
  }

  /** The connection of a socket; undefined if it was refused or has closed. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket)
  }

  /** Registers a new connection, or closes it if it exceeds `maxSockets`. */
  take(socket: Socket): void {
    // Node removes its own listener in some cases, such as CONNECT; an error would then end the process.
    socket.on('error', ignore)
    const client = this.#addressOf(socket)
    if (!this.#policy.takesNew || !this.#hasRoomFor(client)) {
      this.refused += 1
      socket.destroy()
      return
    }
    this.#accepted += 1
    this.#shares.add(client)
    // One listener for both: Node makes room for 19 when an event gets a third one.
    this.#open.set(socket, new Connection(socket, client))
    socket.on('close', this.#onClosed)
  }

  #addressOf(socket: Socket): string | undefined {
    return this.#clientOf({ raw: { socket }, headers: [] } as unknown as RequestHead)
  }

  /** The last tenth of many is for clients that hold less than their share. */
  #hasRoomFor(client: string | undefined): boolean {
    const left = this.#limits.maxSockets - this.#accepted
    const reserved = Math.floor(this.#limits.maxSockets / 100) * 10
    return left > reserved || (left > 0 && this.#shares.hasRoomFor(client))
  }

  /** Registers the decrypted side of a connection that is already counted. */
  takeDecrypted(socket: Socket): void {
    socket.on('error', ignore)
    this.#open.set(socket, new Connection(socket, this.#addressOf(socket)))
    socket.on('close', this.#onDecryptedClosed)
  }

  /** Registers each request and responds to it, now or in its turn, unless its connection serves no further ones. */
  admit(respond: Respond): RequestListener {
    const { maxRequestsPerSocket } = this.#limits
    return (incoming, outgoing) => {
      const connection = this.#open.get(incoming.socket)
      if (connection === undefined) return respond(incoming, outgoing) // only in tests
      if (!connection.isServing || connection.requests >= maxRequestsPerSocket) {
        return connection.dropInput()
      }
      const mustWait = connection.begin(outgoing)
      if (this.#policy.isDraining) outgoing.on('close', this.#onResponseClosed)
      if (this.#policy.saysClose || connection.requests >= maxRequestsPerSocket)
        connection.closeBehindNewest()
      if (isEndUnclear(incoming)) connection.endBehindNewest()
      if (mustWait) return startInPipeline(connection, outgoing, () => respond(incoming, outgoing))
      // What has a body runs once that is there.
      const isLate = longTurns.isBegun && longTurns.isLong && incoming.method === 'GET'
      if (!isLate) return respond(incoming, outgoing)
      connection.late = outgoing
      waitForTurn(connection.client ?? connection, {
        run() {
          connection.late = undefined
          respond(incoming, outgoing)
        },
        isGone: () => connection.socket.destroyed,
      })
    }
  }

  /** Applies a policy to all connections from now on, requests in flight included. */
  obey(policy: ConnectionPolicy): void {
    const before = this.#policy
    this.#policy = policy
    for (const connection of this.#open.values()) {
      if (policy.isDraining && !before.isDraining) {
        for (const outgoing of connection.inFlight) outgoing.on('close', this.#onResponseClosed)
      }
      if (policy.saysClose && !before.saysClose) connection.closeBehindNewest()
    }
  }

  /** Closes the connections that wait for another request, and those that never sent a byte. */
  closeIdle(server: Server): void {
    const busy = [...this.#open.values()].filter(({ isBusy }) => isBusy)
    // Only Node knows which connections are in the middle of a head. But it counts a response that is
    // written as sent.
    for (const { socket } of busy) socket.destroy = () => socket
    server.closeIdleConnections()
    for (const { socket } of busy) delete (socket as { destroy?: unknown }).destroy
    for (const connection of this.#open.values()) {
      if (connection.countSilent() > 1) connection.socket.destroy()
    }
  }

  /** Closes connections whose clients have not read a response in time; to be called periodically. */
  cutSlowReaders(): void {
    const { sendTimeout, connectionsCheckingInterval } = this.#limits
    const looks = Math.ceil(sendTimeout / connectionsCheckingInterval)
    for (const connection of this.#open.values()) {
      if (connection.countSending() > looks) connection.socket.destroy()
    }
  }

  /** The streams on its connections, oldest first. */
  *flows(): Generator<OpenFlow> {
    for (const socket of this.#open.keys()) yield* flowsOf(socket)
  }

  /** The WebSockets that have not been closed, oldest first. */
  *webSockets(): Generator<OpenFlow> {
    for (const socket of this.#open.keys()) {
      const opened = socketOf(socket)
      if (opened !== undefined && opened.state !== 'closed') yield opened
    }
  }

  /** Closes the connections whose last response was a stream that has ended. */
  closeBehindStreams(): void {
    for (const connection of this.#open.values()) connection.closeBehindStream()
  }

  /** Closes all connections at once, and returns what was in flight. */
  cut(): Cut {
    const cuts = Array.from(this.#open.values(), ({ socket, inFlight }) => {
      const cut = cutOfSocket(inFlight, socket)
      socket.destroy()
      return cut
    })
    return addCuts(...cuts)
  }

  #count(outgoing: ServerResponse): void {
    if (!outgoing.writableFinished || isStream(outgoing)) return
    if (this.#open.has(outgoing.req.socket)) this.finished += 1
  }

  #forget(socket: Socket): void {
    this.#open.get(socket)?.release()
    this.#open.delete(socket)
  }

  #countDown(): void {
    this.#accepted -= 1
    if (this.#accepted === 0) this.onEmpty?.()
  }
}

function withThis<Self>(listener: (self: Self) => void): (this: Self) => void {
  return function listen() {
    listener(this)
  }
}

function ignore(): void {
  // `close` notifies code that uses the socket.
}
