import { GraphQLError } from 'graphql'
import { buildSchema } from '../../src/graphql/schema/build-schema.js'
import { createEndpoint, type OperationRequest, type Options } from '../../src/index.js'
import type { StreamEnd } from '../../src/streams/streams.js'
import { partsClient } from './client.js'

const sdl = `
  scalar Any
  type Query { now: Int  never: Int  any: Any  long: String  secret: Int  shown: Int  endless: [Int]  slow: Int }
`

/** A client of resolvers that fail or never end, and what they and the hooks have seen. */
export function startFaulty(options: Partial<Options> = {}) {
  const seen = { signals: [] as AbortSignal[], returned: 0 }
  const bugs: { readonly bug: unknown; readonly id: string; readonly path: unknown }[] = []
  const ends: StreamEnd[] = []
  const schema = buildSchema(sdl, {
    Query: {
      now: () => 1,
      never(_: unknown, __: unknown, { signal }: OperationRequest) {
        seen.signals.push(signal)
        return new Promise(() => {})
      },
      slow: (_: unknown, __: unknown, { signal }: OperationRequest) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
      any: async () => 1n,
      long: async () => 'x'.repeat(1000),
      secret: () => Promise.reject(new Error('secret')),
      shown: () => Promise.reject(new GraphQLError('For clients.')),
      async *endless(_: unknown, __: unknown, { signal }: OperationRequest) {
        seen.signals.push(signal)
        try {
          for (let at = 0; ; at++) {
            yield at
            await new Promise((resolve) => setImmediate(resolve))
          }
        } finally {
          seen.returned += 1
        }
      },
    },
  })
  const { handler, stats } = createEndpoint({
    schema,
    onBug: (bug, { id, path }) => bugs.push({ bug, id, path }),
    onStreamEnd: (end) => ends.push(end),
    createId: () => 'id',
    ...options,
  })
  return { seen, bugs, ends, handler, stats, ...partsClient(handler) }
}
