import { GraphQLError } from 'graphql'
import t from 'tap'
import { buildSchema } from '../../src/graphql/schema/build-schema.js'
import { createHandler } from '../../src/index.js'
import { thrower } from '../base/thrower.js'
import { accepts, formats, partsClient, without17 } from './client.js'
import { mergeParts } from './merge-parts.js'
import { bodyOf, readParts } from './read-parts.js'

const sdl = `
  type Query {
    item: Item  none: [Int]  later: String  shown: String  counted: Int
    numbers(to: Int): [Int!]!  slowly: [Int]
  }
  type Item { name: String  size: Int  other: Item  shown: String  broken: Int! }
  type Mutation { change: Int  changed: Item }
  type Subscription { news: String  nested: Item }
`

const shown = thrower(new GraphQLError('For clients.'))
const broken = thrower(new Error('secret'))
let counted = 0
const schema = buildSchema(sdl, {
  Query: {
    item: () => ({ name: 'a' }),
    later: async () => 'late',
    counted: () => ++counted,
    numbers: () => [0, 1, 2],
    async *slowly() {
      for (let at = 0; at < 3; at++) {
        await new Promise((resolve) => setImmediate(resolve))
        yield at
      }
    },
    shown,
  },
  Mutation: { change: () => 1, changed: () => ({ name: 'a' }) },
  Item: { size: () => 1, other: () => ({ name: 'b' }), shown, broken },
})

const handler = createHandler({ schema, onBug: () => {}, createId: () => 'id' })
const { send, ask, parts } = partsClient(handler)
const skip = without17

/** The parts of a document in both formats: those of v0.2, and the `incremental` of the older one. */
// oxfmt-ignore
const partRows: readonly [title: string, query: string, parts: readonly unknown[], older: readonly unknown[]][] = [
  [
    'IN-1, IN-2, IN-3: a deferred fragment with a label',
    '{ item { name ... @defer(label: "L") { size } } }',
    [
      { data: { item: { name: 'a' } }, pending: [{ id: '0', path: ['item'], label: 'L' }], hasNext: true },
      { hasNext: false, incremental: [{ id: '0', data: { size: 1 } }], completed: [{ id: '0' }] },
    ],
    [{ data: { item: { name: 'a' } }, hasNext: true }, { hasNext: false, incremental: [{ data: { size: 1 }, path: ['item'], label: 'L' }] }],
  ],
  [
    'IN-3, IN-5: a fragment within a fragment',
    '{ item { ... @defer { other { name ... @defer { size } } } } }',
    [
      { data: { item: {} }, pending: [{ id: '0', path: ['item'] }], hasNext: true },
      {
        hasNext: false,
        pending: [{ id: '1', path: ['item', 'other'] }],
        incremental: [{ id: '0', data: { other: { name: 'b' } } }, { id: '1', data: { size: 1 } }],
        completed: [{ id: '0' }, { id: '1' }],
      },
    ],
    [
      { data: { item: {} }, hasNext: true },
      { hasNext: false, incremental: [{ data: { other: { name: 'b' } }, path: ['item'] }, { data: { size: 1 }, path: ['item', 'other'] }] },
    ],
  ],
  [
    'IN-4: an error of a nullable field is beside its data',
    '{ item { ... @defer { name shown } } }',
    [
      { data: { item: {} }, pending: [{ id: '0', path: ['item'] }], hasNext: true },
      {
        hasNext: false,
        incremental: [{ errors: [{ message: 'For clients.', locations: [{ line: 1, column: 28 }], path: ['item', 'shown'] }], id: '0', data: { name: 'a', shown: null } }],
        completed: [{ id: '0' }],
      },
    ],
    [
      { data: { item: {} }, hasNext: true },
      { hasNext: false, incremental: [{ errors: [{ message: 'For clients.', locations: [{ line: 1, column: 28 }], path: ['item', 'shown'] }], data: { name: 'a', shown: null }, path: ['item'] }] },
    ],
  ],
  [
    'IN-5: what failed is completed with its errors, and they are masked',
    '{ item { ... @defer { broken } } }',
    [
      { data: { item: {} }, pending: [{ id: '0', path: ['item'] }], hasNext: true },
      { hasNext: false, completed: [{ errors: [{ message: 'Internal server error', locations: [{ line: 1, column: 23 }], path: ['item', 'broken'], extensions: { code: 'INTERNAL_SERVER_ERROR', id: 'id' } }], id: '0' }] },
    ],
    [
      { data: { item: {} }, hasNext: true },
      { hasNext: false, incremental: [{ errors: [{ message: 'Internal server error', locations: [{ line: 1, column: 23 }], path: ['item', 'broken'], extensions: { code: 'INTERNAL_SERVER_ERROR', id: 'id' } }], data: null, path: ['item'] }] },
    ],
  ],
]

for (const [title, query, ...expected] of partRows) {
  for (const [at, format] of formats.entries()) {
    void t.test(`${format}, ${title}`, { skip }, async (t) => {
      const found = await parts(query, format)
      t.strictSame(found, expected[at])
      t.doesNotThrow(() => mergeParts(found, format))
      const older = Object.keys((found.at(-1) as { incremental?: [object] }).incremental?.[0] ?? {})
      t.ok(older.indexOf('errors') <= 0, 'errors come first')
    })
  }
}

void t.test('a list is sent as its items come', { skip }, async (t) => {
  for (const format of formats) {
    const response = await ask('{ slowly @stream }', format)
    const found = readParts(response.headers.get('content-type') ?? '', await bodyOf(response))
    t.ok(found.length > 2, `${found.length} parts`)
    t.strictSame(mergeParts(found, format).data, { slowly: [0, 1, 2] })
  }
})

/** The result is one JSON, although a client would take parts. */
// oxfmt-ignore
const single: readonly [title: string, query: string][] = [
  ['without directives',         '{ item { name size } }'],
  ['IN-6: a default',            'query ($if: Boolean! = false) { item { name ... @defer(if: $if) { size } } }'],
  ['nothing is left to defer',   '{ item { name size ... @defer { name } } }'],
  ['the list is short',          '{ item { name size } none @stream @skip(if: true) }'],
]
for (const [title, query] of single) {
  void t.test(`one JSON: ${title}`, { skip }, async (t) => {
    const headers = { Accept: 'multipart/mixed, application/json' }
    const response = await send({ json: { query }, headers })
    t.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    t.strictSame(response.json(), { data: { item: { name: 'a', size: 1 } } })
  })
}

void t.test('a client that accepts only parts gets a whole result as one', { skip }, async (t) => {
  for (const format of formats) {
    const found = await parts('{ item { name ... @defer { name } } }', format)
    const whole = { data: { item: { name: 'a' } }, hasNext: false }
    // The older executor defers even what is there already.
    if (format === 'v0.2') t.strictSame(found, [whole])
    else t.equal(found.length, 2)
    const inactive = await parts('{ item { name ... @defer(if: false) { size } } }', format)
    t.strictSame(inactive, [{ data: { item: { name: 'a', size: 1 } }, hasNext: false }])
  }
  const response = await ask('{ item { name } }', 'v0.2')
  t.equal(response.status, 406, 'but JSON if it has no directive')
})

void t.test('parts also come by GET and QUERY, while HEAD runs nothing', { skip }, async (t) => {
  const query = '{ counted ... @defer { later } }'
  const headers = { Accept: accepts['v0.2'] }
  const target = `/graphql?${new URLSearchParams({ query }).toString()}`
  const type = 'multipart/mixed; boundary="-"; incrementalSpec=v0.2'
  const before = counted
  const head = await send({ method: 'HEAD', target, headers })
  t.equal(head.headers.get('content-type'), type)
  t.equal(counted, before)
  for (const request of [{ target }, { method: 'QUERY', json: { query } }, { json: { query } }]) {
    const response = await send({ ...request, headers })
    t.equal(response.headers.get('content-type'), type)
    t.match(await bodyOf(response), /"later":"late"/)
  }
})

/** IN-7: documents that are refused, and a part of the message. */
// oxfmt-ignore
const refused: readonly [query: string, message: RegExp][] = [
  ['query ($l: String) { numbers @stream(label: $l) }',                                   /label.* static/i],
  ['{ item { ... @defer(label: "x") { name } } numbers @stream(label: "x") }',            /label.* unique/i],
  ['subscription { nested { ... @defer { name } } }',                                     /subscription/],
  ['{ numbers @stream(initialCount: 1) numbers @stream(initialCount: 2) }',               /stream/],
  ['{ later @defer }',                                                                    /may not be used on FIELD/],
]
for (const [query, message] of refused) {
  void t.test(`IN-7: refused: ${query}`, { skip }, async (t) => {
    const response = await ask(query, 'v0.2')
    t.equal(response.status, 422)
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' }
    t.match(response.json(), { errors: [{ message, extensions }] })
  })
}

void t.test('a negative initialCount is a mistake of the client', { skip }, async (t) => {
  for (const query of [
    'query ($n: Int) { numbers @stream(initialCount: $n) }',
    'query { numbers @stream(initialCount: -1) }',
  ]) {
    for (const Accept of ['application/json', accepts['v0.2']]) {
      const response = await send({ json: { query, variables: { n: -1 } }, headers: { Accept } })
      t.equal(response.status, 422)
      t.match(response.json(), { errors: [{ message: /^The initialCount/ }] })
    }
  }
  const off = { query: '{ numbers @stream(initialCount: -1, if: false) }' }
  t.equal((await send({ json: off })).status, 200)
})

void t.test('errors before the first part are JSON with their status', { skip }, async (t) => {
  const query = 'query ($n: Int!) { ... @defer { later } numbers(to: $n) }'
  const response = await ask(query, 'v0.2')
  t.equal(response.status, 422)
  t.match(response.json(), { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
})

void t.test('a mutation defers what is below its fields', { skip }, async (t) => {
  const response = await ask('mutation { changed { name ... @defer { size } } }', 'v0.2')
  t.match(await bodyOf(response), /"incremental":\[\{"id":"0","data":\{"size":1\}\}\]/)
})
