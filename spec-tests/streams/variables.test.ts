import type { GraphQLScalarType } from 'graphql'
import t from 'tap'
import { compiledExecution } from '../../src/compiled/index.js'
import type { Execution, OperationRequest } from '../../src/index.js'
import { onBothMajors, readStream, sourceOf } from './stream-test.js'

const sdl = `
  scalar Seen
  type Query { a: Int }
  type Tick { n(by: Seen): Int }
  type Subscription { tick(by: Seen): Tick }
`

onBothMajors(t, 'compiled: variables are not coerced again for each event', async (t, make) => {
  let coerced = 0
  const count = (value: unknown): unknown => ((coerced += 1), value)
  const events = Array.from({ length: 20 }, (_, n) => ({ tick: { n } }))
  const context = (request: OperationRequest): OperationRequest => {
    const seen = request.schema.getType('Seen') as GraphQLScalarType
    Object.assign(seen, { parseValue: count, coerceInputValue: count })
    return request
  }
  const resolvers = { Subscription: { tick: () => sourceOf(...events) } }
  const execution = compiledExecution({ afterUses: 0 })
  const endpoint = make(sdl, resolvers, { execution, context })
  const query = 'subscription ($by: Seen) { tick(by: $by) { n(by: $by) } }'
  const text = await readStream(endpoint, { json: { query, variables: { by: 1 } } })
  t.equal(text.match(/^event: next$/gm)?.length, 20)
  t.ok(coerced > 0 && coerced < 5, `${coerced} times`)
})

/** What resolvers do to an argument is there for the next event on 17, and on 16 it is not: in whichever way they are executed. */
for (const afterUses of [0, 2]) {
  const title = `compiled after ${afterUses}: what changes variables does what it does in graphql-js`
  onBothMajors(t, title, async (t, make, { version }) => {
    const read = async (options: { readonly execution?: Execution }) => {
      const events = Array.from({ length: 4 }, (_, n) => ({ tick: { n } }))
      const endpoint = make(
        `type Query { a: Int } type Tick { tags(of: Tags): [String] } input Tags { tags: [String!]! }
        type Subscription { tick: Tick }`,
        {
          Subscription: { tick: () => sourceOf(...events) },
          Tick: {
            tags(tick, { of }) {
              const { tags } = of as { readonly tags: string[] }
              tags.push(String((tick as { readonly n: number }).n))
              return tags
            },
          },
        },
        options,
      )
      const query = 'subscription ($of: Tags) { tick { tags(of: $of) } }'
      const json = { query, variables: { of: { tags: [] } } }
      const found = (await readStream(endpoint, { json })).matchAll(/"tags":\[(.*?)\]/g)
      return Array.from(found, ([, tags = '']) => tags.replaceAll('"', ''))
    }
    const expected = version.startsWith('16')
      ? ['0', '1', '2', '3']
      : ['0', '0,1', '0,1,2', '0,1,2,3']
    t.strictSame(await read({}), expected)
    t.strictSame(await read({ execution: compiledExecution({ afterUses }) }), expected)
  })
}
