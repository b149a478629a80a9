import type { Socket } from 'node:net'
import { buildConnector, Client } from 'undici'
import { FramingFields } from './framing-fields.js'
import type { Target } from './target.js'

/** How connections are made. */
export interface ConnectionOptions {
  readonly insecure: boolean
  /** Time limit for a connection, in milliseconds. */
  readonly timeout: number
}

/** A client with one connection, which it opens again if the target has closed it. */
export interface Connection {
  readonly client: Client
  /** The current connection; undefined before the first request. */
  readonly socket: Socket | undefined
  /** To be told of each request before it is sent. */
  readonly framing: FramingFields
}

/** Connections to the target, kept for the next request. Each has one request at a time, so that its bytes belong to it. */
export class Connections {
  readonly #target: Target
  readonly #connect: buildConnector.connector
  readonly #all = new Set<Connection>()
  readonly #idle: Connection[] = []

  constructor(target: Target, { insecure, timeout }: ConnectionOptions) {
    this.#target = target
    this.#connect = buildConnector({ rejectUnauthorized: !insecure, timeout })
  }

  /** Lends a connection to some work, a free one if there is any. */
  async use<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> {
    const connection = this.#idle.pop() ?? this.#add()
    try {
      return await work(connection)
    } finally {
      this.#idle.push(connection)
    }
  }

  /** Lends a new connection, which is closed afterwards. */
  async useNew<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> {
    const connection = this.#add()
    try {
      return await work(connection)
    } finally {
      this.#all.delete(connection)
      await connection.client.destroy()
    }
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#all].map(({ client }) => client.destroy()))
  }

  #add(): Connection {
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
