import type { Readable } from 'node:stream'
import { createClientReader } from '../../../http/client-address.js'
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

/** A client may have thousands of connections: at least so many are read again in a turn, twice as many after a short turn, half after a long one. */
const readAgainInTurn = 50

/** Node takes one new connection in a turn: so many turns without these reads follow a long turn. */
const restingTurns = 16

/** What a connection has sent counts half after so long, in milliseconds. */
const halfLife = 1000

type Carrier = Connection | Http2Session

/** Those of a client that wait. Those that are read again stay until the end of the turn. */
interface HeldConnections {
  readonly connections: Set<Carrier>
  /** Whose reads made this turn long, after which all others but `spared` were held. */
  longBy: Carrier | undefined
  spared: ReadonlySet<Carrier>
  /** How many of them are read again next. */
  readAgain: number
  /** When their weights were halved. */
  countedSince: number
}

/**
 * Node reads 64 KB of each connection before anything else runs: 3,000 requests, or 10,000 chunks or frames. So once that has
 * taken long in a turn, the other connections of the client are read in later turns, first those that have sent little.
 */
export class ClientReads {
  /** What has arrived since the last look. Public, so that a request need call nothing to be counted. */
  weight = 0
  readonly clientOf: (connection: Pick<Carrier, 'socket'>) => string | undefined
  /** The connections of each client. */
  readonly #open = new Map<string | undefined, Set<Carrier>>()
  readonly #held = new Map<string | undefined, HeldConnections>()
  /** When this turn was first looked at. */
  #turn: { readonly begunAt: number } | undefined
  #isResting = false

  constructor(trustedProxies: number) {
    const addressOf = createClientReader(0)
    // The connections of a proxy are not those of one client: they have no shares, and wait for each other.
    this.clientOf = (raw) => (trustedProxies > 0 ? undefined : addressOf({ raw, headers: [] }))
  }

  add(connection: Carrier): void {
    const client = (connection.client = this.clientOf(connection))
    const open = this.#open.get(client) ?? new Set()
    this.#open.set(client, open.add(connection))
  }

  remove(connection: Carrier): void {
    const open = this.#open.get(connection.client)
    open?.delete(connection)
    if (open?.size === 0) this.#open.delete(connection.client)
  }

  noteHttp2(session: Http2Session, { length }: readonly string[]): void {
    this.#note(session, weightOfHeavy + length)
  }

  /** A WebSocket has read so many bytes: frames of six, if its client wants that. */
  noteFrames(connection: Connection, bytes: number): void {
    this.#note(connection, weightOfHeavy + bytes / 32)
  }

  /** Counts the pieces of a body, which may have one byte each. */
  notePieces(body: Readable, from: Carrier, weight: number): void {
    body.push = (...piece) => {
      this.#note(from, weight)
      return Object.getPrototypeOf(body).push.apply(body, piece)
    }
  }

  #note(from: Carrier, weight: number): void {
    from.weight += weight
    this.weight += weight
    if (this.weight > weightOfLook) this.look(from)
  }

  /** If this turn has taken long, what is left of it is not for the client of this connection. */
  look(from: Carrier): void {
    this.weight = 0
    const now = performance.now()
    if (this.#turn === undefined) this.#watchTurn(now)
    else if (now - this.#turn.begunAt > longestTurn) this.#hold(from, now)
  }

  #hold(from: Carrier, now: number): void {
    const { client } = from
    const held = this.#held.get(client) ?? {
      connections: new Set(),
      longBy: undefined,
      spared: none,
      readAgain: readAgainInTurn,
      countedSince: -Infinity,
    }
    this.#held.set(client, held)
    const open = this.#open.get(client) ?? none
    if (now - held.countedSince > halfLife) {
      held.countedSince = now
      for (const connection of open) connection.weight /= 2
    }
    if (held.longBy === undefined) {
      held.longBy = from
      held.spared = new Set([...held.connections].filter((one) => one !== from && isLight(one)))
      hold(held, open)
    } else if (held.longBy === from) hold(held, [from])
    else {
      const others = [...held.spared, from]
      held.spared = none
      hold(held, others)
    }
  }

  #watchTurn(begunAt: number): void {
    const turn = (this.#turn = { begunAt })
    setImmediate(() => {
      let wasLong = false
      for (const held of this.#held.values()) {
        wasLong ||= held.longBy !== undefined
        // It has been doubled since they were read.
        if (held.longBy !== undefined) {
          held.readAgain = Math.max(readAgainInTurn, held.readAgain / 4)
        }
        held.longBy = undefined
      }
      // Held connections are let read in the meantime, and another turn is watched.
      if (this.#turn !== turn) return
      this.#turn = undefined
      if (this.#held.size === 0 || this.#isResting) return
      this.#isResting = true
      this.#rest(wasLong ? restingTurns : 0)
    })
  }

  #rest(turns: number): void {
    if (turns > 0) return void setImmediate(() => this.#rest(turns - 1))
    this.#isResting = false
    for (const [client, held] of this.#held) this.#readSome(client, held)
    this.#watchTurn(performance.now())
  }

  #readSome(client: string | undefined, held: HeldConnections): void {
    const { connections } = held
    for (const connection of connections) if (!connection.isHeld) connections.delete(connection)
    if (connections.size === 0) this.#held.delete(client)
    const sorted = [...connections].toSorted((one, other) => one.weight - other.weight)
    for (const connection of sorted.slice(0, held.readAgain)) connection.letRead()
    held.readAgain *= 2
  }
}

const none: ReadonlySet<Carrier> = new Set()

/** Whether it is read, and has sent little. */
function isLight({ isHeld, weight }: Carrier): boolean {
  return !isHeld && weight <= weightOfLook
}

function hold({ connections, spared }: HeldConnections, all: Iterable<Carrier>): void {
  for (const connection of all) {
    if (!spared.has(connection) && connection.hold()) connections.add(connection)
  }
}
