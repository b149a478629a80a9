import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import { buildSchema, type Resolvers } from '../../../../../src/index.js'
import { serve, type ServeOptions } from '../../../../../src/hosts/node/index.js'
import { openSource } from '../../../../../src/standard/standard-schema.js'
import type { NextEvent } from '../../../../../src/standard/standard-schema.js'
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
  }
`

/** What the sources of a server have done: how many are open, how many queries wait, and so on. */
function createSources() {
  const opened = new Set<object>()
  return {
    pulled: 0,
    waiting: 0,
    big: 0,
    get open() {
      return opened.size
    },
    /** A source that ends with `undefined`. */
    create(next: NextEvent<unknown>): AsyncIterableIterator<unknown> {
      return openSource(opened, (closing) => {
        this.pulled += 1
        return next(closing)
      })
    },
    /** Ends the queries that wait. */
    release: (): void => undefined,
  }
}

type Sources = ReturnType<typeof createSources>

/** Waits until the source is returned. */
const silent: NextEvent<unknown> = async (closing) => {
  await once(closing, 'abort')
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
    Mutation: { add: () => 1 },
    Subscription: {
      countdown: {
        subscribe: (_: unknown, { from }: { from: number }) => {
          let left = from
          return sources.create(async () => (left < 0 ? undefined : { countdown: left-- }))
        },
      },
      silent: { subscribe: () => sources.create(silent) },
      stuck: {
        subscribe: () => {
          const source = sources.create(silent)
          return { ...source, return: async () => (void source.return?.(), never) }
        },
      },
      flood: {
        subscribe: (_: unknown, { bytes }: { bytes: number }) =>
          sources.create(async () => {
            await nextTurn()
            return { flood: 'x'.repeat(bytes) }
          }),
      },
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
