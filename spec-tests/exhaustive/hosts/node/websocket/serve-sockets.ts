import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import { buildSchema, type Resolvers } from '../../../../../src/index.js'
import { serve, type ServeOptions } from '../../../../../src/hosts/node/index.js'
import { handshake, RawWebSocket } from './raw-web-socket.js'

const sdl = `
  type Query {
    echo(text: String!): String!
    big(bytes: Int!): String!
    wait: String!
  }
  type Mutation { add: Int! }
  type Subscription {
    countdown(from: Int!): Int!
    silent: Int
    stuck: Int
    flood(bytes: Int!): String!
    fails: Int
  }
`

/** What the sources of a server have done: how many are open, how many queries wait, and so on. */
function createSources() {
  const counts = { open: 0, pulled: 0, waiting: 0, added: 0, big: 0 }
  /** `release` ends the queries that wait. */
  return { ...counts, release: (): void => undefined }
}

type Sources = ReturnType<typeof createSources>

/** A source that ends with `undefined`; what it waits for may be that it is returned. */
function createSource(
  sources: Sources,
  pull: (returned: Promise<void>) => unknown,
  returnTakes?: Promise<unknown>,
): AsyncIterableIterator<unknown> {
  const over = { done: true, value: undefined } as const
  let isOpen = true
  let wake = (): void => undefined
  const returned = new Promise<void>((resolve) => (wake = resolve))
  const close = (): void => {
    if (isOpen) sources.open -= 1
    isOpen = false
    wake()
  }
  sources.open += 1
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      sources.pulled += 1
      const value = await pull(returned)
      if (value !== undefined && isOpen) return { done: false, value }
      close()
      return over
    },
    async return() {
      close()
      await returnTakes
      return over
    },
  }
}

function createResolvers(sources: Sources): Resolvers {
  const released = new Promise<void>((resolve) => (sources.release = resolve))
  const never = new Promise(() => undefined)
  return {
    Query: {
      echo: (_: unknown, { text }: { text: string }) => text,
      big: (_: unknown, { bytes }: { bytes: number }) => {
        sources.big += 1
        return 'x'.repeat(bytes)
      },
      wait: async () => {
        sources.waiting += 1
        await released
        return 'done'
      },
    },
    Mutation: { add: () => ++sources.added },
    Subscription: {
      countdown: {
        subscribe: (_: unknown, { from }: { from: number }) => {
          let left = from
          return createSource(sources, () => (left < 0 ? undefined : { countdown: left-- }))
        },
      },
      silent: { subscribe: () => createSource(sources, (returned) => returned) },
      stuck: { subscribe: () => createSource(sources, (returned) => returned, never) },
      flood: {
        subscribe: (_: unknown, { bytes }: { bytes: number }) =>
          createSource(sources, async () => {
            await nextTurn()
            return { flood: 'x'.repeat(bytes) }
          }),
      },
      fails: { subscribe: () => createSource(sources, () => Promise.reject(new Error('secret'))) },
    },
  }
}

export async function serveSockets(t: Test, options: Partial<ServeOptions> = {}) {
  const sources = createSources()
  const schema = buildSchema(sdl, createResolvers(sources))
  const served = await serve({ schema, port: 0, host: '127.0.0.1', websocket: true, ...options })
  t.teardown(() => served.close({ grace: 0, deadline: 0 }))
  return { served, port: served.port, sources }
}

export async function acknowledged(port: number, address?: string): Promise<RawWebSocket> {
  const raw = await RawWebSocket.open(port, handshake(), address)
  await raw.init()
  return raw
}

/** Waits, turn by turn, for something that must happen; the time limit of the test ends it. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn()
}
