import { randomBytes } from 'node:crypto'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { Redis } from 'ioredis'
import type { Test } from 'tap'

export type OwnRedis = NonNullable<Awaited<ReturnType<typeof ownRedis>>>

/** Redis with a prefix of its own, whose keys are deleted when the test ends; undefined if it is absent and not required. */
export async function ownRedis(t: Test) {
  const client = new Redis('redis://127.0.0.1:6379', { lazyConnect: true, retryStrategy: null })
  client.on('error', () => {})
  const fault = await client.connect().catch((problem: Error) => problem)
  if (fault instanceof Error) {
    if (process.env['GRAPHWIRE_REQUIRE_SERVICES']) throw fault
    t.comment(`SKIPPED, since there is no Redis: ${fault.message}`)
    return undefined
  }
  const prefix = `test-${randomBytes(6).toString('hex')}:`
  const sweep = async (): Promise<void> => {
    const keys = await client.keys(`${prefix}*`)
    if (keys.length > 0) await client.del(...keys)
  }
  t.teardown(async () => {
    await sweep()
    client.disconnect()
  })
  return { url: `redis://127.0.0.1:6379?keyPrefix=${prefix}`, client, prefix, sweep }
}

/** A way to a service that can be cut and mended. */
interface Relay {
  readonly port: number
  cut(): Promise<void>
  mend(): Promise<void>
}

/** From the tests of the packages, which are another project for the compiler. */
const relays = '../../../../../dist/packages/pubsub/spec-tests/exhaustive/transports/relay.js'
export const { relayTo } = (await import(new URL(relays, import.meta.url).href)) as {
  /** Undefined if the service is not running, unless services are required. */
  relayTo(t: Test, service: string, port: number): Promise<Relay | undefined>
}

/** Listens on a free port of the loopback, and gives it. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** A port that is free, for a service that starts twice. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
