import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import { buildSchema, type Resolvers } from '../../../../../src/index.js'
import { serve, type Served, type ServeOptions } from '../../../../../src/hosts/node/index.js'

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

/** What the sources of a server have done. */
interface Sources {
  /** How many are open. */
  open: number
  pulled: number
  /** Ends the queries that wait. */
  release: () => void
  /** How many queries wait. */
  waiting: number
  added: number
  /** How many large results were made. */
  big: number
}

class Source {
  readonly #sources: Sources
  readonly #pull: (signal: Promise<void>) => Promise<unknown>
  readonly #returnTakes: Promise<unknown> | undefined
  #isOpen = true
  #wake: () => void = () => {}
  readonly #woken = new Promise<void>((resolve) => (this.#wake = resolve))

  constructor(
    sources: Sources,
    pull: (woken: Promise<void>) => Promise<unknown>,
    returnTakes?: Promise<unknown>,
  ) {
    this.#sources = sources
    this.#pull = pull
    this.#returnTakes = returnTakes
    sources.open += 1
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<unknown>> {
    this.#sources.pulled += 1
    const value = await this.#pull(this.#woken)
    if (value !== undefined && this.#isOpen) return { done: false, value }
    this.#close()
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<unknown>> {
    this.#close()
    await this.#returnTakes
    return { done: true, value: undefined }
  }

  #close(): void {
    if (this.#isOpen) this.#sources.open -= 1
    this.#isOpen = false
    this.#wake()
  }
}

function createResolvers(sources: Sources): Resolvers {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  sources.release = release
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
          return new Source(sources, async () => (left < 0 ? undefined : { countdown: left-- }))
        },
      },
      silent: { subscribe: () => new Source(sources, (woken) => woken) },
      stuck: {
        subscribe: () => new Source(sources, (woken) => woken, new Promise(() => undefined)),
      },
      flood: {
        subscribe: (_: unknown, { bytes }: { bytes: number }) =>
          new Source(sources, async () => {
            await nextTurn()
            return { flood: 'x'.repeat(bytes) }
          }),
      },
      fails: {
        subscribe: () =>
          new Source(sources, async () => {
            throw new Error('secret')
          }),
      },
    },
  }
}

export interface ServedSockets {
  readonly served: Served
  readonly port: number
  readonly sources: Sources
}

/** Serves a schema with subscriptions, over sockets too. */
export async function serveSockets(
  t: Test,
  options: Partial<ServeOptions> = {},
): Promise<ServedSockets> {
  const sources: Sources = {
    open: 0,
    pulled: 0,
    waiting: 0,
    added: 0,
    big: 0,
    release: () => undefined,
  }
  const schema = buildSchema(sdl, createResolvers(sources))
  const served = await serve({ schema, port: 0, host: '127.0.0.1', websocket: true, ...options })
  t.teardown(() => served.close({ grace: 0, deadline: 0 }))
  return { served, port: served.port, sources }
}

/** Waits, turn by turn, for something that must happen; the time limit of the test ends it. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn()
}
