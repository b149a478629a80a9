import { randomBytes } from 'node:crypto'
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { Redis } from 'ioredis'
import type { Test } from 'tap'

const isRequired = process.env['GRAPHWIRE_REQUIRE_SERVICES'] !== undefined

export type OwnRedis = NonNullable<Awaited<ReturnType<typeof ownRedis>>>

/** Redis with a prefix of its own, whose keys are deleted when the test ends; undefined if it is absent and not required. */
export async function ownRedis(t: Test) {
  const client = new Redis('redis://127.0.0.1:6379', { lazyConnect: true, retryStrategy: null })
  client.on('error', () => {})
  const fault = await client.connect().catch((problem: Error) => problem)
  if (fault instanceof Error) {
    if (isRequired) throw fault
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

/** Starts a relay in front of a service of this machine, which can be cut and mended: Redis, if no other port is given. */
export async function roadTo(t: Test, port = 6379) {
  const sockets = new Set<Socket>()
  const relay = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  const own = await listen(relay)
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      relay.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  t.teardown(cut)
  return { port: own, cut, mend: () => listen(relay, own) }
}

/** Whether NATS is available; an error if it is required and absent. */
export function hasNats(t: Test): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(natsPort, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', (fault) => {
      if (isRequired) return reject(fault)
      t.comment(`SKIPPED, since there is no NATS: ${fault.message}`)
      return resolve(false)
    })
  })
}

export const natsPort = 4222

/** Listens on a port of the loopback, and gives it. */
export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** A port that is free, for a service that starts twice. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
