import type { IncomingMessage } from 'node:http'
import { buildSchema } from 'graphql'
import t from 'tap'
import { createHandler, route, type Handler } from '../../src/index.js'
import { toFetch } from '../../src/hosts/fetch.js'
import type { Incoming } from '../../src/hosts/node/index.js'
import { testClient } from '../../src/hosts/testing.js'

const schema = buildSchema('type Query { name: String }')
const named = (name: string, path?: string): Handler =>
  createHandler({ schema, rootValue: { name }, path })

const handler = route({ '/graphql': named('all', '/graphql'), '/admin': named('admin') })
const query = '?query={name}'

const found = (name: string): object => ({ data: { name } })
const missing = (path: string): object => ({
  errors: [{ message: `Nothing is served at "${path}".`, extensions: { code: 'NOT_FOUND' } }],
})

// oxfmt-ignore
const cases: readonly [target: string, status: number, json: object][] = [
  [`/graphql${query}`,               200, found('all')],
  [`/admin${query}`,                 200, found('admin')],
  [`http://localhost/admin${query}`, 200, found('admin')],
  [`/graphql/${query}`,              404, missing('/graphql/')],
  [`/Admin${query}`,                 404, missing('/Admin')],
  [`/${query}`,                      404, missing('/')],
  ['/constructor',                   404, missing('/constructor')],
  ['/?/admin',                       404, missing('/')],
]

for (const [target, status, json] of cases) {
  void t.test(`${target} answers ${status}`, async (t) => {
    const answer = await testClient(handler)({ target })
    t.equal(answer.status, status)
    t.same(answer.json(), json)
  })
}

for (const [accept, type] of [
  ['application/json, application/graphql-response+json;q=0', 'application/json'],
  ['*/*', 'application/graphql-response+json'],
] as const) {
  void t.test(`an unknown path is refused in the type that ${accept} asks for`, async (t) => {
    const answer = await testClient(handler)({ target: '/x', headers: { accept } })
    t.equal(answer.status, 404)
    t.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`)
  })
}

// oxfmt-ignore
for (const [method, target, status] of [['OPTIONS', '*', 204], ['GET', '*', 404], ['OPTIONS', '/x', 404]] as const) {
  void t.test(`${method} ${target} answers ${status}`, async (t) => {
    t.equal((await testClient(handler)({ method, target })).status, status)
  })
}

// oxfmt-ignore
const wrong: readonly [name: string, handlers: object, message: RegExp][] = [
  ['nothing',         {},                   /^route: expected at least one path/],
  ['a relative path', { graphql: handler }, /^route: expected absolute paths .* got "graphql"/],
  ['a query',         { '/a?b': handler },  /^route: expected absolute paths .* got "\/a\?b"/],
  ['no handler',      { '/a': { schema } }, /^route: expected a handler at \/a, .* got object\./],
]

for (const [name, handlers, message] of wrong) {
  void t.test(`${name} is a TypeError`, async (t) => {
    t.throws(() => route(handlers as never), { name: 'TypeError', message })
  })
}

void t.test('the request of the runtime has the type that all handlers take', async (t) => {
  const forNode: Handler<IncomingMessage> = createHandler<IncomingMessage>({ schema })
  const forBoth: Handler<Incoming> = createHandler<Incoming>({ schema })
  const both: Handler<IncomingMessage> = route({ '/a': forNode, '/b': forBoth })
  // @ts-expect-error a handler for requests of Node is none for those of fetch
  toFetch(both)
  t.type(both, 'function')
})
