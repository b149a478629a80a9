import { createClient } from '@redis/client'
import { Redis } from 'ioredis'

/** A client as packages take it that send commands of their own. */
export interface RedisClient {
  readonly command: (command: string, ...values: string[]) => Promise<unknown>
  readonly close: () => void
}

/** Clients that connect again by themselves. */
export const redisClients: readonly (readonly [
  name: string,
  connect: (port: number) => Promise<RedisClient>,
])[] = [
  [
    'node-redis',
    async (port) => {
      const client = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: 10 } })
      client.on('error', () => {})
      await client.connect()
      return { command: (...words) => client.sendCommand(words), close: () => client.destroy() }
    },
  ],
  [
    'ioredis',
    async (port) => {
      const options = { host: '127.0.0.1', port, retryStrategy: () => 10, keyPrefix: 'k:' }
      const client = new Redis(options)
      client.on('error', () => {})
      await client.ping()
      return { command: (...words) => client.call(...words), close: () => client.disconnect() }
    },
  ],
]
