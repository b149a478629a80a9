import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Connection } from './connection.js'

/** The connections of a server, with their requests in flight. */
export class Connections {
  /** How many requests were answered since draining began. */
  finished = 0
  /** Whether new connections are cut at once, as the server has ended. */
  closed = false
  /** Called when the last connection has gone. */
  onEmpty: (() => void) | undefined
  readonly #open = new Map<Socket, Connection>()
  readonly #limits: { readonly maxSockets: number; readonly maxRequestsPerSocket: number }
  readonly #onAnswerClosed: (this: ServerResponse) => void
  readonly #onSocketClosed: (this: Socket) => void
  #draining = false
  #saysClose = false

  constructor(limits: { readonly maxSockets: number; readonly maxRequestsPerSocket: number }) {
    this.#limits = limits
    this.#onAnswerClosed = withThis((outgoing) => this.#count(outgoing))
    this.#onSocketClosed = withThis((socket) => this.#forget(socket))
  }

  /** Whether the server is closing. */
  get draining(): boolean {
    return this.#draining
  }

  /** Whether answers say `Connection: close`. */
  get saysClose(): boolean {
    return this.#saysClose
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size
  }

  /** The connection of a socket; undefined where it was one too many or has closed. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket)
  }

  /** Takes a new connection, if it is not one too many. */
  take(socket: Socket): void {
    // Once Node has let go of a socket, as behind CONNECT, an error would end the process.
    socket.on('error', ignore)
    if (this.closed || this.#open.size >= this.#limits.maxSockets) {
      socket.destroy()
      return
    }
    this.#open.set(socket, new Connection(socket))
    socket.on('close', this.#onSocketClosed)
  }

  /** Takes a request; false where it comes behind the last that its connection serves. */
  admit({ socket }: IncomingMessage, outgoing: ServerResponse): boolean {
    const connection = this.#open.get(socket)
    if (connection === undefined) return true // made up by a test, without a connection
    const { maxRequestsPerSocket } = this.#limits
    if (connection.isOver || connection.requests >= maxRequestsPerSocket) return false
    connection.begin(outgoing)
    if (this.#draining) outgoing.on('close', this.#onAnswerClosed)
    if (this.#saysClose || connection.requests >= maxRequestsPerSocket)
      connection.closeBehindNewest()
    return true
  }

  /** From now on the server is not ready, and answers are counted. */
  startDraining(): void {
    if (this.#draining) return
    this.#draining = true
    for (const { inFlight } of this.#open.values()) {
      for (const outgoing of inFlight) outgoing.on('close', this.#onAnswerClosed)
    }
  }

  /** Whether answers say `Connection: close` from now on, also those in flight whose head is not out. */
  sayClose(saysClose: boolean): void {
    this.#saysClose = saysClose
    if (!saysClose) return
    for (const connection of this.#open.values()) connection.closeBehindNewest()
  }

  /** Closes the connections that wait for a next request, and those that never sent a byte. */
  closeIdle(server: Server): void {
    const busy = [...this.#open.values()].filter(({ isBusy }) => isBusy)
    // Only Node knows who is in the middle of a head. But it takes an answer for over when it is
    // written, though half of it may be unsent.
    for (const { socket } of busy) socket.destroy = () => socket
    server.closeIdleConnections()
    for (const { socket } of busy) delete (socket as { destroy?: unknown }).destroy
    for (const connection of this.#open.values()) {
      if (connection.isSilent()) connection.socket.destroy()
    }
  }

  /** Cuts the clients that have not read an answer for so many looks. */
  cutSlowReaders(looks: number): void {
    for (const connection of this.#open.values()) {
      if (connection.countSending() > looks) connection.socket.destroy()
    }
  }

  /** Closes everything at once, and says how many requests were in flight. */
  cut(): number {
    let cut = 0
    for (const { socket, inFlight } of this.#open.values()) {
      cut += inFlight.length
      socket.destroy()
    }
    return cut
  }

  #count({ req, writableFinished }: ServerResponse): void {
    if (writableFinished && this.#open.has(req.socket)) this.finished += 1
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket)
    if (this.#open.size === 0) this.onEmpty?.()
  }
}

function withThis<Self>(listener: (self: Self) => void): (this: Self) => void {
  return function listen() {
    listener(this)
  }
}

function ignore(): void {
  // Whoever has something to say on this socket hears of its end by `close`.
}
