import type { Socket } from 'node:net'
import { buildConnector, Client } from 'undici'
import type { Target } from './target.js'

/** How connections are made. */
export interface TargetConnectionOptions {
  readonly insecure: boolean
  /** Time limit for a connection, in milliseconds. */
  readonly timeout: number
}

/** A client with one connection, which it opens again if the target has closed it. */
export interface TargetConnection {
  readonly client: Client
  /** The current connection; undefined before the first request. */
  readonly socket: Socket | undefined
  /** To be told of each request before it is sent. */
  readonly framing: FramingFields
}

/** Connections to the target, kept for the next request. Each has one request at a time, so that its bytes belong to it. */
export class TargetConnections {
  readonly #target: Target
  readonly #connect: buildConnector.connector
  readonly #all = new Set<TargetConnection>()
  readonly #idle: TargetConnection[] = []

  constructor(target: Target, { insecure, timeout }: TargetConnectionOptions) {
    this.#target = target
    this.#connect = buildConnector({ rejectUnauthorized: !insecure, timeout })
  }

  /** Lends a connection to some work, a free one if there is any. */
  async use<Value>(work: (connection: TargetConnection) => Promise<Value>): Promise<Value> {
    const connection = this.#idle.pop() ?? this.#add()
    try {
      return await work(connection)
    } finally {
      this.#idle.push(connection)
    }
  }

  /** Lends a new connection, which is closed afterwards. */
  async useNew<Value>(work: (connection: TargetConnection) => Promise<Value>): Promise<Value> {
    const connection = this.#add()
    try {
      return await work(connection)
    } finally {
      this.#all.delete(connection)
      await connection.client.destroy()
    }
  }

  /** A new connection for longer than one request: who uses it destroys its client. */
  open(): TargetConnection {
    return this.#add()
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#all].map(({ client }) => client.destroy()))
  }

  #add(): TargetConnection {
    const framing = new FramingFields()
    const connection: { client: Client; socket: Socket | undefined; framing: FramingFields } = {
      client: new Client(this.#target.origin, {
        connect: (options, callback) =>
          this.#connect(options, (...result) => {
            connection.socket = result[1] ?? undefined
            if (connection.socket !== undefined) watch(connection.socket, framing)
            callback(...result)
          }),
      }),
      socket: undefined,
      framing,
    }
    this.#all.add(connection)
    return connection
  }
}

/** undici reads a socket by `read`. */
function watch(socket: Socket, framing: FramingFields): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (chunk instanceof Uint8Array) framing.replaceTabs(chunk)
    return chunk
  }
}

const lineFeed = 0x0a
const tab = 0x09
const space = 0x20

/** The fields by which undici frames a response, and decides whether the connection stays. */
const framing = /^(?:content-length|transfer-encoding|connection):/i

/** As much of a line as tells what it is. */
const longestStart = 'transfer-encoding:'.length

/**
 * Makes the tabs of framing fields spaces, as the bytes come: any mix of both may stand around a value and its members
 * (RFC 9112 section 5), and undici takes only spaces. Without this a correct response would be cut or never end, and
 * asking again would execute twice.
 */
class FramingFields {
  #isInHead = false
  #isInterim = false
  /** The beginning of the line that is being read. */
  #start = ''

  /** The next byte is the first of a response. */
  begin(): void {
    this.#isInHead = true
    this.#isInterim = false
    this.#start = ''
  }

  /** Changes the bytes in place; those of a body stay. */
  replaceTabs(bytes: Uint8Array): void {
    for (const [at, byte] of bytes.entries()) {
      if (!this.#isInHead) return
      if (byte === lineFeed) this.#endLine()
      else if (byte === tab && framing.test(this.#start)) bytes[at] = space
      else if (this.#start.length < longestStart) this.#start += String.fromCharCode(byte)
    }
  }

  #endLine(): void {
    const status = /^HTTP\/1\.[01] (\d)/.exec(this.#start)?.[1]
    if (status !== undefined) this.#isInterim = status === '1'
    // Behind an interim response comes another one.
    if (this.#start === '' || this.#start === '\r') this.#isInHead = this.#isInterim
    this.#start = ''
  }
}
