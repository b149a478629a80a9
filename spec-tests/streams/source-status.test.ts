import { GraphQLError } from 'graphql'
import t from 'tap'
import { testClient } from '../../src/hosts/testing.js'
import type { ResultInfo } from '../../src/index.js'
import { thrower } from '../base/thrower.js'
import { onBothMajors } from './stream-test.js'

/* A bug in the resolver of a subscription is the server's fault, what it refuses is the client's. */

const bug = thrower(new Error('The database is away.'))
const refusal = thrower(new GraphQLError('Not you.'))

// oxfmt-ignore
const rows: readonly [title: string, subscribe: () => unknown, edition: '2026-09' | '2025-05', status: number][] = [
  ['a bug',                            bug,        '2026-09', 500],
  ['no iterable',                      () => null, '2026-09', 500],
  ['a refusal',                        refusal,    '2026-09', 422],
  ['a bug, as application/json of 2025', bug,      '2025-05', 200],
]
for (const [title, subscribe, edition, expected] of rows) {
  onBothMajors(t, title, async (t, make) => {
    const statuses: ResultInfo['status'][] = []
    const { handler } = make(
      'type Query { a: Int } type Subscription { n: Int }',
      { Subscription: { n: subscribe } },
      { edition, onBug: () => undefined, onResult: (_, { status }) => void statuses.push(status) },
    )
    const Accept = 'multipart/mixed;subscriptionSpec=1.0, application/json'
    const json = { query: 'subscription { n }' }
    const { status } = await testClient(handler)({ json, headers: { Accept } })
    t.equal(status, expected)
    t.same(statuses, [expected])
  })
}
