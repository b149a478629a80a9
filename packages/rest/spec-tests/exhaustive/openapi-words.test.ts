import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as graphql from 'graphql'
import * as graphql16 from 'graphql-16'
import t from 'tap'
import { createApiDescription, type ApiDescriptionOptions, type Route } from '@graphwire/rest'

const sdl = `
  type Query {
    "One order.  It may be old."
    order(id: ID!): Order
    """
    Orders, as they came

    Each page has a link.
    """
    orders(limit: Int): [Order!]
    openOrders: [Order!]
    ISBNs: [String!]
    empty: Empty
    e_mail: String
  }
  type Mutation { cancel(id: ID!): Order  pay(id: ID!, input: Payment!): Boolean }
  input Payment { amount: Int!  card: Card }
  input Card { number: String! }
  interface Empty { name: String }
  type Order { id: ID!  at: Time  size: Size }
  enum Size { SMALL LARGE }
  scalar Time
`
const get = (path: string, operation: string, more: object = {}): Route => ({
  method: 'GET',
  path,
  operation,
  ...more,
})
const routes: readonly Route[] = [
  get('/orders', 'query Orders($limit: Int) { orders(limit: $limit) { id size } }'),
  get('/order/{id}', 'query Order($id: ID!) { order(id: $id) { id at } }'),
  get('/open', 'query listOpenOrders { openOrders { id } }'),
  get('/isbns', '{ ISBNs }'),
  get('/mail', 'query { e_mail }'),
  get('/empty', 'query Empty { empty { name } }', { description: `${'x'.repeat(200)}. And more.` }),
  get('/own', 'query Own { openOrders { id } }', { summary: 'Mine', description: 'All of it.' }),
  {
    method: 'POST',
    path: '/order/{id}/payment',
    operation: 'mutation Pay($id: ID!, $input: Payment!) { pay(id: $id, input: $input) }',
    body: 'input',
    status: 204,
  },
  {
    method: 'DELETE',
    path: '/order/{id}',
    operation: 'mutation CancelOrder_now($id: ID!) { cancel(id: $id) { id } }',
    status: 202,
  },
]

const modules: readonly (readonly [name: string, module: typeof graphql])[] = [
  ['graphql 17', graphql],
  ['graphql 16', graphql16 as unknown as typeof graphql],
]

type Json = { readonly [name: string]: Json } & readonly Json[]

function describe(module: typeof graphql, more: Partial<ApiDescriptionOptions<unknown>> = {}) {
  const options: ApiDescriptionOptions<unknown> = {
    schema: module.buildSchema(sdl),
    graphql: module,
    routes,
    info: { title: 'Orders', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    security: () => [{ key: [] }],
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    ...more,
  }
  return createApiDescription(options) as Json
}

// oxfmt-ignore
const summaries: readonly [path: string, method: string, summary: string][] = [
  ['/orders',             'get',    'Orders, as they came'],
  ['/orders',             'head',   'Orders, as they came'],
  ['/order/{id}',         'get',    'One order'],
  ['/open',               'get',    'List open orders'],
  ['/isbns',              'get',    'ISBNs'],
  ['/mail',               'get',    'E mail'],
  ['/empty',              'get',    `${'x'.repeat(120)}...`],
  ['/own',                'get',    'Mine'],
  ['/order/{id}/payment', 'post',   'Pay'],
  ['/order/{id}',         'delete', 'Cancel order now'],
]

for (const [major, module] of modules) {
  for (const [path, method, summary] of summaries) {
    void t.test(`${major}: ${method} ${path} is summed up as ${summary}`, async (t) => {
      t.equal(describe(module)['paths']?.[path]?.[method]?.['summary'], summary)
    })
  }

  void t.test(`${major}: 202 has content, and 204 has none`, async (t) => {
    const paths = describe(module)['paths']
    const pay = paths?.['/order/{id}/payment']?.['post']?.['responses']?.['204']
    t.strictSame(pay, { description: 'Done; the response has no body.' })
    const cancel = paths?.['/order/{id}']?.['delete']?.['responses']?.['202']
    t.match(cancel, { content: { 'application/json': { schema: { type: 'object' } } } })
  })

  void t.test(`${major}: only components that are used are described`, async (t) => {
    const components = describe(module)['components']
    t.strictSame(Object.keys(components?.['schemas'] ?? {}), ['Card', 'Size', 'Time', 'Problem'])
    t.notOk('MethodNotAllowed' in (components?.['responses'] ?? {}))
    const $ref = '#/components/responses/MethodNotAllowed'
    const login = { post: { summary: 'Login', responses: { 405: { $ref } } } }
    const more = describe(module, { moreOperations: { '/login': login } })
    t.ok('MethodNotAllowed' in (more['components']?.['responses'] ?? {}))
  })

  void t.test(`${major}: redocly's recommended rules find nothing wrong`, async (t) => {
    const folder = t.testdir({ 'openapi.json': JSON.stringify(describe(module)) })
    t.strictSame(lint(join(folder, 'openapi.json')), [])
  })
}

void t.test('redocly is really asked', async (t) => {
  const right = describe(graphql, { security: () => undefined })
  const wrong = Object.assign({}, right, { info: { title: 'x' } })
  const folder = t.testdir({ 'openapi.json': JSON.stringify(wrong) })
  const found = lint(join(folder, 'openapi.json'))
  t.ok(found.includes('security-defined'))
  t.ok(found.includes('struct'))
})

/** The rules that a document breaks. It asks nothing of the network. */
function lint(file: string): readonly string[] {
  const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  const args = [redocly, 'lint', file, '--extends', 'recommended', '--format', 'json']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string }[] }
  return problems.map(({ ruleId }) => ruleId)
}
