import type { Socket } from 'node:net'
import { buildConnector, Client } from 'undici'
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
    const connection: { client: Client; socket: Socket | undefined } = {
      client: new Client(this.#target.origin, {
        connect: (options, callback) =>
          this.#connect(options, (...result) => {
            connection.socket = result[1] ?? undefined
            callback(...result)
          }),
      }),
      socket: undefined,
    }
    this.#all.add(connection)
    return connection
  }
}
