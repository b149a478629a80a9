import {
  createPubSub,
  ioredisTransport,
  natsTransport,
  postgresTransport,
  type PubSub,
  type Transport,
} from '@graphwire/pubsub'
import type { Redis } from 'ioredis'
import { Client } from 'pg'
import type { ChangeStore } from '../store/changes.js'
import { isPostgresUrl } from '../store/database-url.js'
import { oneAfterAnother } from '../store/turns.js'

interface Places {
  readonly database: string
  readonly redis: Redis | undefined
  readonly natsUrl: string | undefined
}

/** NATS or Redis if one is set, and else PostgreSQL; undefined for SQLite, whose table is polled. */
function chooseWay({ database, redis, natsUrl }: Places) {
  if (database === ':memory:') return undefined
  if (natsUrl !== undefined) return { name: 'NATS', open: () => openNats(natsUrl) }
  if (redis !== undefined) {
    return { name: 'Redis', open: async () => ({ transport: ioredisTransport(redis) }) }
  }
  if (!isPostgresUrl(database)) return undefined
  return { name: 'PostgreSQL', open: () => openPostgres(database) }
}

/**
 * Announces to other instances that there are changes, and receives their announcements; the changes are in the table.
 * Connects in the background. Polling finds the rest, so an outage delays changes but loses none.
 */
export function createAnnouncer(
  places: Places,
  changes: Pick<ChangeStore, 'listen'>,
  onNews: () => void,
  onFault: (fault: unknown) => void,
) {
  const way = chooseWay(places)
  let pubsub: PubSub<{ readonly 'people.changed': null }> | undefined
  let opened: Awaited<Opened> | undefined
  let isClosed = false
  const start = async ({ name, open }: NonNullable<typeof way>): Promise<void> => {
    const report = (cause: unknown): void => {
      const late = 'changes of other instances arrive up to a second late.'
      if (!isClosed) onFault(new Error(`${name} is unavailable: ${late}`, { cause }))
    }
    const slow = setTimeout(() => report(new Error('It has not answered yet.')), 2_000).unref()
    try {
      opened = await open().finally(() => clearTimeout(slow))
      if (isClosed) return void opened.close?.()
      pubsub = createPubSub({ transport: opened.transport, onGap: 'ignore', onLost: report })
      const announced = pubsub.subscribe('people.changed', { overflow: 'latest' })
      for await (const _ of announced) onNews()
    } catch (cause) {
      report(cause)
    }
  }

  const announce = oneAfterAnother(async () => {
    // The subscriber reports the outage.
    if (!isClosed) await pubsub?.publish('people.changed', null).catch(() => {})
  })
  if (way !== undefined) {
    void start(way)
    changes.listen(() => void announce())
  }
  return {
    async close(): Promise<void> {
      isClosed = true
      pubsub?.close()
      await opened?.close?.()
    },
  }
}

/** `close` is of connections that the transport does not end itself. */
type Opened = Promise<{ readonly transport: Transport; readonly close?: () => unknown }>

const longestPause = 1_000

async function openNats(url: string): Opened {
  // Loaded only if it is used.
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

async function openPostgres(url: string): Opened {
  const connect = async (): Promise<Client> => {
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
  return { transport: postgresTransport({ connect, maxRetryDelay: longestPause }) }
}
