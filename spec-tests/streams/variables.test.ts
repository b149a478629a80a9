import type { GraphQLScalarType } from 'graphql'
import t from 'tap'
import { compiledExecution } from '../../src/compiled/index.js'
import { onBothMajors, readStream, sourceOf } from './stream-test.js'

const sdl = `
  scalar Seen
  type Query { a: Int }
  type Tick { n(by: Seen): Int }
  type Subscription { tick(by: Seen): Tick }
`

onBothMajors(t, 'compiled: variables are not coerced again for each event', async (t, make) => {
  let coerced = 0
  const count = (value: unknown): unknown => {
    coerced += 1
    return value
  }
  const events = Array.from({ length: 20 }, (_, n) => ({ tick: { n } }))
  const endpoint = make(
    sdl,
    { Subscription: { tick: () => sourceOf(...events) } },
    {
      execution: compiledExecution({ afterUses: 0 }),
      context: (request) => {
        const seen = request.schema.getType('Seen') as GraphQLScalarType
        Object.assign(seen, { parseValue: count, coerceInputValue: count })
        return request
      },
    },
  )
  const json = {
    query: 'subscription ($by: Seen) { tick(by: $by) { n(by: $by) } }',
    variables: { by: 1 },
  }
  const text = await readStream(endpoint, { json })
  t.equal(text.match(/^event: next$/gm)?.length, 20)
  t.ok(coerced > 0 && coerced < 5, `${coerced} times`)
})
