import { setTimeout as pause } from 'node:timers/promises'
import { buildSchema, createEndpoint, type Options } from '../../../src/index.js'
import type { OperationRequest, StreamEnd } from '../../../src/index.js'
import { openSource, type NextEvent } from '../../../src/standard/standard-schema.js'
import { defer } from '../../base/defer.js'
import { createQueue } from '../../base/queue.js'
import { thrower } from '../../base/thrower.js'

interface Source {
  push(event: unknown): void
  finish(): void
  fail(bug: unknown): void
  readonly request: OperationRequest
  readonly returned: Promise<void>
}

export type StreamedEndpoint = ReturnType<typeof createStreamedEndpoint>

/** How long no event is asked for when the client does not read. */
const quietMs = 50

/** An endpoint with subscriptions that a test controls. */
export function createStreamedEndpoint(options: Partial<Options> = {}) {
  const sources = createQueue<Source>()
  const ended = createQueue<StreamEnd>()
  const starting = createQueue<OperationRequest>()
  const ends: StreamEnd[] = []
  const bugs: unknown[] = []
  const opened = new Set<object>()
  let made = 0
  let floods = 0
  const start = defer()
  const open = (next: NextEvent<unknown>): AsyncIterableIterator<unknown> => {
    made += 1
    return openSource(opened, next)
  }
  const pushed = (_: unknown, __: unknown, request: OperationRequest): AsyncIterable<unknown> => {
    const events = createQueue<() => unknown>()
    const returned = defer()
    sources.put({
      request,
      push: (value) => events.put(() => ({ pushed: value })),
      finish: () => events.put(() => undefined),
      fail: (bug) => events.put(thrower(bug)),
      returned: returned.promise,
    })
    const iterator = open(async () => (await events.next())())
    return {
      ...iterator,
      return() {
        returned.resolve()
        return iterator.return?.()
      },
    } as AsyncIterableIterator<unknown>
  }
  const endpoint = createEndpoint({
    schema: buildSchema(sdl, {
      Query: { hello: () => 'hi' },
      Subscription: {
        pushed: { subscribe: pushed },
        later: {
          async subscribe(...given: [unknown, unknown, OperationRequest]) {
            starting.put(given[2])
            await start.promise
            return open(async () => ({ later: 1 }))
          },
        },
        countdown: {
          async *subscribe(_: unknown, { from }: { from: number }) {
            for (let at = from; at >= 0; at -= 1) yield { countdown: at }
          },
        },
        flood: {
          subscribe: (_: unknown, { bytes }: { bytes: number }) => {
            const text = 'x'.repeat(bytes)
            return open(async () => ((floods += 1), { flood: text }))
          },
        },
        refused: { subscribe: thrower(new Error('secret of the resolver')) },
      },
    }),
    onBug: (bug) => bugs.push(bug),
    onStreamEnd: (end) => (ends.push(end), ended.put(end)),
    ...options,
  })
  return {
    ...endpoint,
    nextSource: sources.next,
    /** How many sources were made, and how many of them are open. */
    made: () => made,
    open: () => opened.size,
    ends,
    nextEnd: ended.next,
    bugs,
    letStart: start.resolve,
    starting: starting.next,
    /** Resolves when no further event of `flood` is asked for. */
    async blocked() {
      for (let before = -1; before < floods; await pause(quietMs)) before = floods
    },
  }
}

const sdl = `
  type Query { hello: String }  type Mutation { hello: String }
  type Subscription {
    pushed: Int  later: Int  refused: Int
    countdown(from: Int!): Int  flood(bytes: Int!): String
  }
`
