import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createClientReader } from '../../../http/client-address.js'
import type { ConnectionSettings } from './connection-options.js'
import type { Connection } from './connection.js'
import type { Http2Session } from './http2-session.js'

/** How long a turn of the event loop may take with what clients have sent, in milliseconds. */
const longestTurn = 10

/** How much arrives between two looks at the clock, as names and values of heads: some 60 requests, or 2,000 chunks of a body. */
export const weightOfLook = 2000

/** What Node does for a request beside its head. */
export const weightOfRequest = 16

/** The same for a request over HTTP/2, and for a read of a WebSocket. */
const weightOfHeavy = 100

/** A client may have thousands of connections, and may hold few again after each read. */
const readAgainInTurn = 50

/** Node takes one new connection in a turn: so many turns without these reads follow each with them. */
const restingTurns = 16

/** What a connection has sent counts half after so long, in milliseconds. */
const halfLife = 1000

/**
 * Node reads 64 KB of each connection before anything else runs: 3,000 requests, or 10,000 chunks or frames. So once that has
 * taken long in a turn, the other connections of the client are read in later turns, first those that have sent little.
 */
export class ClientReads {
  /** What has arrived since the last look. Public, so that a request need call nothing to be counted. */
  weight = 0
  readonly #open: ReadonlyMap<Socket, Connection>
  readonly #sessions: ReadonlyMap<object, Http2Session>
  readonly #settings: ConnectionSettings
  readonly #addressOf = createClientReader(0)
  /** By their clients, in the order in which they were held. Those that are read again stay until the end of the turn. */
  readonly #held = new Map<string | undefined, Set<Connection | Http2Session>>()
  /** When this turn was first looked at. */
  #begunAt: number | undefined
  #isResting = false
  #countedSince = -Infinity

  constructor(
    open: ReadonlyMap<Socket, Connection>,
    sessions: ReadonlyMap<object, Http2Session>,
    settings: ConnectionSettings,
  ) {
    this.#open = open
    this.#sessions = sessions
    this.#settings = settings
  }

  noteHttp2(session: Http2Session, { length }: readonly string[]): void {
    this.#note(session, weightOfHeavy + length)
  }

  /** A WebSocket has read so many bytes: frames of six, if its client wants that. */
  noteFrames(connection: Connection, bytes: number): void {
    this.#note(connection, weightOfHeavy + bytes / 32)
  }

  /** Counts the pieces of a body, which may have one byte each. */
  notePieces(body: Readable, from: Connection | Http2Session, weight: number): void {
    body.push = (...piece) => {
      this.#note(from, weight)
      return Object.getPrototypeOf(body).push.apply(body, piece)
    }
  }

  #note(from: Connection | Http2Session, weight: number): void {
    from.weight += weight
    this.weight += weight
    if (this.weight > weightOfLook) this.look(from)
  }

  /** If this turn has taken long, what is left of it is not for the client of this connection. */
  look(from: Connection | Http2Session): void {
    this.weight = 0
    const now = performance.now()
    if (this.#begunAt === undefined) this.#watchTurn(now)
    else if (now - this.#begunAt > longestTurn) this.#hold(from, now)
  }

  /** The connections of a proxy are not those of one client: there, all wait for each other. */
  #clientOf({ socket }: Connection | Http2Session): string | undefined {
    return this.#settings.trustedProxies > 0
      ? undefined
      : this.#addressOf({ raw: { socket }, headers: [] })
  }

  #hold(from: Connection | Http2Session, now: number): void {
    const client = this.#clientOf(from)
    const held = this.#held.get(client) ?? new Set()
    this.#held.set(client, held)
    const isOld = now - this.#countedSince > halfLife
    if (isOld) this.#countedSince = now
    for (const connection of [...this.#open.values(), ...this.#sessions.values()]) {
      if (isOld) connection.weight /= 2
      if (this.#clientOf(connection) === client && connection.hold()) held.add(connection)
    }
  }

  #watchTurn(now: number): void {
    this.#begunAt = now
    setImmediate(() => {
      this.#begunAt = undefined
      if (this.#held.size === 0 || this.#isResting) return
      this.#isResting = true
      this.#rest(restingTurns)
    })
  }

  #rest(turns: number): void {
    if (turns > 0) return void setImmediate(() => this.#rest(turns - 1))
    this.#isResting = false
    for (const [client, held] of this.#held) this.#readSome(client, held)
    this.#watchTurn(performance.now())
  }

  #readSome(client: string | undefined, held: Set<Connection | Http2Session>): void {
    for (const connection of held) if (!connection.isHeld) held.delete(connection)
    if (held.size === 0) this.#held.delete(client)
    const sorted = [...held].toSorted((one, other) => rankOf(one) - rankOf(other))
    for (const connection of sorted.slice(0, readAgainInTurn)) connection.letRead()
  }
}

/** Those that have sent little are equal, so that none of them waits for ever. */
function rankOf({ weight }: Connection | Http2Session): number {
  return weight > 2 * weightOfLook ? weight : 0
}
