import * as graphql from 'graphql'
import { GraphQLError } from 'graphql'
import t from 'tap'
import { createRestHandler, type RestOptions } from '@graphwire/rest'
import { buildSchema, createHandler, type LimitReport } from 'graphwire'
import { testClient } from 'graphwire/testing'

const fields = Array.from({ length: 13 }, (_, at) => `f${at}: Int`).join(' ')

/** Routes and GraphQL with the same schema, whose scalar counts how often it is looked at. */
function serve(options: Partial<RestOptions> = {}) {
  let looks = 0
  let runs = 0
  const change = (): number => {
    runs++
    throw new GraphQLError('Another write came first.', { extensions: { code: 'CONFLICT' } })
  }
  const add = (): number => 1
  const schema = buildSchema(
    `
      scalar Tag
      type Query { a: Int }
      type Mutation {
        add(items: [Item!]!): Int
        addAll(order: Order!): Int
        change(items: [Item!]!, version: Int): Int
        changeList(list: [Int!]!, version: Int): Int
      }
      input Item { tag: Tag ${fields} }
      input Order { name: String! items: [[Item!]!] }
    `,
    {
      Mutation: { add, addAll: add, change, changeList: change },
      Tag: {
        coerceInputValue: (tag) => {
          looks++
          return tag
        },
      },
    },
  )
  const common = { schema, maxCost: 100, onBug: () => undefined, ...options }
  const rest = testClient(
    createRestHandler({
      ...common,
      // oxfmt-ignore
      routes: [
        { method: 'POST',  path: '/items', operation: byMember },
        { method: 'PUT',   path: '/order', operation: byBody,    body: 'order' },
        { method: 'PATCH', path: '/items', operation: byVersion, ifMatch: 'version' },
        { method: 'PATCH', path: '/list',  operation: byList,    ifMatch: 'version' },
      ],
    }),
  )
  const ask = testClient(createHandler(common))
  return { rest, ask, looks: () => looks, runs: () => runs }
}

const byMember = 'mutation Add($items: [Item!]!) { add(items: $items) }'
const byBody = 'mutation All($order: Order!) { addAll(order: $order) }'

const byVersion =
  'mutation Change($items: [Item!]!, $version: Int) { change(items: $items, version: $version) }'

const byList =
  'mutation Change($list: [Int!]!, $version: Int) { changeList(list: $list, version: $version) }'

/** Items with 14 fields, so that each counts 25 values and costs 1. */
const items = (length: number): object[] => Array.from({ length }, () => ({ tag: 1 }))

// oxfmt-ignore
const cases: [name: string, method: string, target: string, body: object, variables: object][] = [
  ['a member of the body',                  'POST', '/items', { items: items(500) },               { items: items(500) }],
  ['a member, beside one that is unknown',  'POST', '/items', { more: 1, items: items(500) },      { items: items(500) }],
  ['the whole body, without what it needs', 'PUT',  '/order', { items: [items(200), items(300)] }, { order: { items: [items(200), items(300)] } }],
]
for (const [name, method, target, body, variables] of cases) {
  void t.test(`too much input is refused before it is looked at: ${name}`, async (t) => {
    const { rest, ask, looks } = serve()
    const response = await rest({ method, target, json: body })
    t.equal(looks(), 0, 'nothing was coerced')
    t.equal(response.status, 422)
    const query = target === '/items' ? byMember : byBody
    const byGraphQL = await ask({ method: 'POST', target: '/graphql', json: { query, variables } })
    const [{ message, extensions }] = byGraphQL.json<Errors>().errors
    t.match(response.json(), { detail: message, code: extensions.code }, 'as GraphQL says it')
    t.equal(byGraphQL.status, 422)
  })
}

interface Errors {
  readonly errors: readonly [{ readonly message: string; readonly extensions: { code: string } }]
}

void t.test('what is within the limit is checked before its cost', async (t) => {
  const { rest, looks } = serve()
  const wrong = await rest({
    method: 'POST',
    target: '/items',
    json: { items: [...items(50), { f0: 'x' }] },
  })
  t.match(wrong.json(), { code: 'BAD_USER_INPUT', errors: [{ pointer: '#/items/50/f0' }] })
  t.equal(looks(), 50)
  const right = await rest({ method: 'POST', target: '/items', json: { items: items(50) } })
  t.equal(right.status, 200, right.body)
})

void t.test('a cost that is only reported is so once, the request answered', async (t) => {
  const reports: LimitReport[] = []
  const { rest } = serve({ reportOnly: ['maxCost'], onLimit: (report) => reports.push(report) })
  const response = await rest({ method: 'POST', target: '/items', json: { items: items(500) } })
  t.equal(response.status, 200, response.body)
  t.match(reports, [{ limit: 'maxCost', allowed: 100, found: 501 }] as const)
  t.equal(reports.length, 1)
})

// oxfmt-ignore
const versions: [path: 'items' | 'list', tags: number, length: number, status: number, cost: number, runs: number][] = [
  ['items', 1,  60,   412, 61,  1],
  ['items', 2,  40,   412, 81,  2],
  ['items', 10, 0,    412, 1,   10],
  ['items', 2,  60,   422, 121, 0],
  ['items', 10, 60,   422, 601, 0],
  ['list',  1,  2000, 412, 81,  1],
  ['list',  2,  1000, 412, 81,  2],
  ['list',  3,  1000, 422, 121, 0],
  ['list',  10, 200,  412, 81,  10],
]
for (const [path, tags, length, status, cost, runs] of versions) {
  void t.test(`${tags} tags with ${length} of ${path} cost ${cost}: ${status}`, async (t) => {
    const costs: unknown[] = []
    const served = serve({ responseHeaders: (_, __, request) => void costs.push(request.cost) })
    const response = await served.rest({
      method: 'PATCH',
      target: `/${path}`,
      headers: { 'If-Match': Array.from({ length: tags }, (_, at) => `"${at}"`).join() },
      json: { [path]: path === 'list' ? Array(length).fill(1) : items(length) },
    })
    t.equal(response.status, status, response.body)
    t.equal(served.runs(), runs)
    t.strictSame(costs, [cost])
  })
}

// graphql 16 does not repeat values in messages about unknown fields.
const repeats = 'validateInputValue' in graphql
// oxfmt-ignore
const unknown: [fields: number, errors: number][] = [
  [3,      3],
  [1000,   5],
  [40_000, repeats ? 1 : 5],
]
for (const [length, errors] of unknown) {
  void t.test(`of ${length} unknown fields ${errors} are reported`, async (t) => {
    const entries = Array.from({ length }, (_, at) => [`unknown${at}`, at])
    const item = Object.fromEntries(entries) as object
    const { rest } = serve({ maxCost: Infinity })
    const response = await rest({ method: 'POST', target: '/items', json: { items: [item] } })
    t.equal(response.status, 422)
    const expected = Array.from({ length: errors }, (_, at) => ({
      detail: 'Unknown field.',
      pointer: `#/items/0/unknown${at}`,
    }))
    t.strictSame(response.json<{ errors: unknown }>().errors, expected)
  })
}
