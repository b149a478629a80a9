import { versionInfo } from 'graphql'
import t from 'tap'
import { testClient } from '../../src/hosts/testing.js'
import { buildSchema, createHandler } from '../../src/index.js'

const sdl = 'type Query { a: String  b: String } type Subscription { n: Int  fail: Int }'
const schema = buildSchema(sdl)

let returned = 0
/** With what ends a line in JavaScript, but not in a stream of events. */
const a = 'x\u2028y'
const rootValue = {
  a,
  b: async () => 'ä',
  async *n() {
    try {
      for (let n = 1; n <= 3; n++) yield { n }
    } finally {
      returned += 1
    }
  },
  async *fail() {
    yield { fail: 1 }
    throw new Error('secret')
  },
}

const send = testClient(createHandler({ schema, rootValue, onBug: () => undefined }))

const defer = '{ a ... @defer { b } }'
const events = [1, 2, 3].map((n) => ({ data: { n } }))
const parts = [
  { data: { a }, hasNext: true },
  { incremental: [{ data: { b: 'ä' } }], hasNext: false },
]
const failed = [{ data: { fail: 1 } }, { errors: [{ message: /^Internal/ }] }]

/* oxfmt-ignore */
for (const [query, accept, expected] of [
  ['{ a }',                'application/json',                               [{ data: { a } }]],
  ['{ a }',                'text/event-stream',                              [{ data: { a } }]],
  ['{ c }',                'application/graphql-response+json',              [{ errors: [{ message: /Cannot query field/ }] }]],
  ['subscription { n }',   'text/event-stream',                              events],
  ['subscription { n }',   'multipart/mixed; subscriptionSpec=1.0',          events],
  ['subscription { fail }', 'text/event-stream',                             failed],
  ['subscription { fail }', 'multipart/mixed; subscriptionSpec=1.0',         failed],
  [defer,                  'multipart/mixed; incrementalSpec=v0.2',          parts],
  [defer,                  'text/event-stream; incrementalSpec=v0.2',        parts],
  [defer,                  'application/jsonl; incrementalSpec=v0.2',        parts],
] as const) {
  if (query === defer && versionInfo.major < 17) continue
  void t.test(`the results of ${query} as ${accept}`, async (t) => {
    const response = await send({ json: { query }, headers: { accept } })
    const results = []
    for await (const result of response.results()) results.push(result)
    t.equal(results.length, expected.length)
    t.match(results, expected)
  })
}

void t.test('ending the loop disconnects', async (t) => {
  returned = 0
  const headers = { accept: 'text/event-stream' }
  const response = await send({ json: { query: 'subscription { n }' }, headers })
  for await (const { data } of response.results<{ data: { n: number } }>()) if (data.n === 2) break
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(returned, 1)
})
