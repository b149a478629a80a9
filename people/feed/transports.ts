import {
  ioredisTransport,
  natsTransport,
  postgresTransport,
  type Transport,
} from '@graphwire/pubsub'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { isPostgresUrl } from '../store/postgres-url.js'

/** Where instances tell each other that there is news. */
export interface Places {
  readonly database: string
  readonly redisUrl: string | undefined
  readonly natsUrl: string | undefined
}

/** A way between instances, and what it has opened. */
export interface OpenTransport {
  readonly transport: Transport
  readonly close: () => unknown
}

/** A service by its name, and how to connect to it. */
export interface Way {
  readonly name: string
  /** Resolves when it can be used, even if the service is unavailable. NATS has to be there once. */
  readonly open: () => Promise<OpenTransport>
}

/** NATS or Redis if one is set, and else PostgreSQL; undefined for SQLite. A database in memory has no other instance. */
export function chooseWay({ database, redisUrl, natsUrl }: Places): Way | undefined {
  if (database === ':memory:') return undefined
  if (natsUrl !== undefined) return { name: 'NATS', open: () => openNats(natsUrl) }
  if (redisUrl !== undefined) return { name: 'Redis', open: async () => openRedis(redisUrl) }
  if (!isPostgresUrl(database)) return undefined
  return { name: 'PostgreSQL', open: async () => openPostgres(database) }
}

const longestPause = 1_000

async function openNats(url: string): Promise<OpenTransport> {
  // Only those who use it have to load it.
  const { connect } = await import('@nats-io/transport-node')
  const { host, username, password, protocol } = new URL(url)
  const connection = await connect({
    servers: host,
    name: 'graphwire-people',
    ...(username !== '' && { user: decodeURIComponent(username) }),
    ...(password !== '' && { pass: decodeURIComponent(password) }),
    ...(protocol === 'tls:' && { tls: {} }),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: longestPause,
  })
  return { transport: natsTransport(connection), close: () => connection.close() }
}

function openRedis(url: string): OpenTransport {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    retryStrategy: (times) => Math.min(times * 100, longestPause),
  })
  // The subscriber reports the outage.
  client.on('error', () => {})
  const subscriber = client.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null })
  subscriber.on('error', () => {})
  return {
    transport: ioredisTransport(client, subscriber),
    close() {
      client.disconnect()
      subscriber.disconnect()
    },
  }
}

function openPostgres(url: string): OpenTransport {
  const connectOnce = async (): Promise<Client> => {
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      application_name: 'graphwire-people',
    })
    // Without a listener, an error while it connects would end the process.
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const transport = postgresTransport({ connect: connectOnce, maxRetryDelay: longestPause })
  // The transport ends its connection itself.
  return { transport, close: () => undefined }
}
