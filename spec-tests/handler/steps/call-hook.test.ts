import { GraphQLError } from 'graphql'
import * as graphql16 from 'graphql-16'
import t from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import { buildSchema, createEndpoint, createHandler, failure, success } from '../../../src/index.js'
import type { HttpResponse, Options } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../client-of.js'
import { overSocket } from '../over-socket.js'
import { callOf, createMcp } from '../../../packages/mcp/spec-tests/books.js'

type Hooks = Partial<Options>

const schema = buildSchema('type Query { a: Int }', { Query: { a: () => 1 } })
const routes = [{ method: 'GET', path: '/a', operation: '{ a }' }] as const

/** Every hook that can stop a request; `fail` throws or rejects. */
const hooks: { readonly [name: string]: (fail: () => never) => Hooks } = {
  authenticate: (fail) => ({ authenticate: fail }),
  schema: (fail) => ({ schema: fail }),
  admit: (fail) => ({ admit: fail }),
  around: (fail) => ({ around: fail }),
  'around, after the execution': (fail) => ({
    around: async (_, proceed) => (await proceed(), fail()),
  }),
  context: (fail) => ({ context: fail }),
  'context within around': (fail) => ({ context: fail, around: (_, proceed) => proceed() }),
}

const denied = new GraphQLError('Log in.', { extensions: { code: 'UNAUTHENTICATED' } })

for (const [name, make] of Object.entries(hooks)) {
  for (const isLate of [false, true]) {
    const fail = isLate ? () => Promise.reject(denied) as never : thrower(denied)
    const title = `a GraphQLError of ${isLate ? 'a late ' : ''}${name}`
    const bugs: unknown[] = []
    const hooked = { ...make(fail), onBug: (bug: unknown) => bugs.push(bug) }
    const options = { schema, ...hooked }

    for (const edition of ['2026-09', '2025-05'] as const) {
      void t.test(`${title} is a 401, ${edition}`, async (t) => {
        const send = testClient(createHandler({ ...options, edition }))
        for (const request of [{ json: { query: '{ a }' } }, { target: '/?query={a}' }]) {
          const response = await send(request)
          t.equal(response.status, 401)
          t.equal(response.headers.get('www-authenticate'), 'Bearer')
          t.equal(response.headers.get('cache-control'), 'no-store')
          t.strictSame(response.json(), { errors: [{ ...denied.toJSON() }] })
        }
        t.strictSame(bugs, [])
      })
    }

    void t.test(`${title} is a problem of a route`, async (t) => {
      const rest = createRestHandler({ ...options, routes, challenge: 'Basic' })
      const response = await testClient(rest)({ target: '/a' })
      t.equal(response.status, 401)
      t.equal(response.headers.get('www-authenticate'), 'Basic')
      t.match(response.json(), { code: 'UNAUTHENTICATED', detail: 'Log in.' })
      t.strictSame(bugs, [])
    })

    void t.test(`${title} refuses a tool`, async (t) => {
      const { send } = createMcp(hooked)
      const response = await send(callOf('GetBook', { id: '1' }))
      t.equal(response.status, 401)
      t.match(response.json(), { error: { message: 'Log in.', data: { code: 'UNAUTHENTICATED' } } })
      t.strictSame(bugs, [])
    })

    void t.test(`${title} fails an entry of a batch`, async (t) => {
      const send = testClient(createHandler({ ...options, batch: {} }))
      const response = await send({ json: [{ query: '{ a }' }] })
      const error = { message: 'Log in.', extensions: { code: 'UNAUTHENTICATED' } }
      const isWhole = name === 'authenticate'
      t.equal(response.status, isWhole ? 401 : 200)
      t.strictSame(response.json(), isWhole ? { errors: [error] } : [{ errors: [error] }])
      t.strictSame(bugs, [])
    })

    void t.test(`${title} ends an operation of a socket, or the socket`, async (t) => {
      if (name === 'authenticate') {
        const head = { method: 'GET', target: '/', headers: [], raw: undefined }
        const { operations } = createEndpoint(options)
        const outcome = await operations.authenticate(head, undefined, () => undefined)
        t.strictSame(outcome, { ok: false, reason: { kind: 'denied', message: 'Log in.' } })
        return
      }
      const sent = await overSocket(options, { query: '{ a }' })
      t.strictSame(sent, [`error ${JSON.stringify([denied])}`])
      t.strictSame(bugs, [])
    })
  }
}

void t.test('authenticate sees the payload of connection_init, later hooks do not', async (t) => {
  const heads: unknown[] = []
  const { operations } = createEndpoint({
    schema: buildSchema('type Query { a: Int }'),
    authenticate(head) {
      heads.push(head.connectionParams)
      return head.connectionParams?.['token'] === 'x'
        ? success('Ada')
        : failure({ kind: 'forbidden' })
    },
  })
  const head = { method: 'GET', target: '/', headers: [], raw: undefined }
  t.match(await operations.authenticate(head, { token: 'x' }, () => undefined), { value: 'Ada' })
  t.match(await operations.authenticate(head, undefined, () => undefined), { ok: false })
  t.strictSame(heads, [{ token: 'x' }, undefined])
  t.notHas(head, { connectionParams: {} })
})

function thrownBy(extensions: object, make: typeof GraphQLError = GraphQLError): GraphQLError {
  return new make('No.', { extensions: { ...extensions } })
}

const secret = new Error('hunter2')

// oxfmt-ignore
const errors: readonly [title: string, thrown: unknown, status: number, code: string, onRoute?: number][] = [
  ['no code',                         thrownBy({}),                                                 400, 'DENIED'],
  ['a code',                          thrownBy({ code: 'TENANT_GONE' }),                            400, 'TENANT_GONE', 410],
  ['a code that has a status',        thrownBy({ code: 'FORBIDDEN' }),                              403, 'FORBIDDEN'],
  ['a code that names an object',     thrownBy({ code: 'constructor' }),                            400, 'constructor'],
  ['a code that is no name',          thrownBy({ code: 'a b' }),                                    400, 'DENIED'],
  ['a status',                        thrownBy({ code: 'PAY', http: { status: 402 } }),             402, 'PAY'],
  ['the status 401',                  thrownBy({ code: 'EXPIRED', http: { status: 401 } }),         401, 'EXPIRED'],
  ['a status that wins',              thrownBy({ code: 'UNAUTHENTICATED', http: { status: 403 } }), 403, 'UNAUTHENTICATED'],
  ['a status of a success',           thrownBy({ code: 'FORBIDDEN', http: { status: 200 } }),       403, 'FORBIDDEN'],
  ['http without a status',           thrownBy({ code: 'FORBIDDEN', http: null }),                  403, 'FORBIDDEN'],
  ['another copy of graphql-js',      thrownBy({ code: 'FORBIDDEN' }, graphql16.GraphQLError), 403, 'FORBIDDEN'],
  ['a cause',                         new GraphQLError('No.', { extensions: { code: 'FORBIDDEN' }, cause: secret }), 403, 'FORBIDDEN'],
  ['an original that is a bug',       new GraphQLError('hunter2', { originalError: secret }),       500, 'INTERNAL_SERVER_ERROR'],
  ['a plain Error',                   secret,                                                       500, 'INTERNAL_SERVER_ERROR'],
  ['an object that resembles one',    { message: 'hunter2', extensions: { code: 'FORBIDDEN' } },    500, 'INTERNAL_SERVER_ERROR'],
]

for (const [title, thrown, status, code, onRoute = status] of errors) {
  void t.test(`a hook throws an error with ${title}: ${status}`, async (t) => {
    const options = { schema, context: thrower(thrown) }
    const { ask, bugs } = clientOf(options)
    const response = await ask('{ a }')
    t.equal(response.status, status)
    const message = status === 500 ? 'Internal server error' : 'No.'
    t.match(response.json(), { errors: [{ message, extensions: { code } }] })
    t.strictSame(bugs, status === 500 ? [thrown] : [])
    const statusOfCode = { TENANT_GONE: 410 }
    const rest = createRestHandler({ ...options, routes, statusOfCode, onBug() {} })
    const { body, ...own } = await testClient(rest)({ target: '/a' })
    t.equal(own.status, onRoute)
    t.notMatch(response.body + body, 'hunter2')
  })
}

void t.test('authorize can throw a GraphQLError, too', async (t) => {
  const rest = createRestHandler({ schema, routes, authorize: thrower(denied) })
  t.equal((await testClient(rest)({ target: '/a' })).status, 401)
})

function promiseOfKind<Value>(value: Value): Promise<Value> {
  return Object.assign(Promise.resolve(value), { kind: 'select' })
}

const withKinds: readonly (readonly [name: string, options: Hooks])[] = [
  ['authenticate', { authenticate: () => promiseOfKind(success(undefined)) }],
  ['schema', { schema: () => promiseOfKind(schema) }],
  ['admit', { admit: () => promiseOfKind(undefined) }],
  ['around', { around: (_, proceed) => promiseOfKind(proceed() as HttpResponse) }],
  ['context', { context: () => promiseOfKind({}) }],
]

for (const [name, options] of withKinds) {
  void t.test(`a promise of ${name} that has a kind is waited for`, async (t) => {
    const send = testClient(createHandler({ schema, batch: {}, ...options }))
    t.strictSame((await send({ json: { query: '{ a }' } })).json(), { data: { a: 1 } })
    t.strictSame((await send({ json: [{ query: '{ a }' }] })).json(), [{ data: { a: 1 } }])
  })
}
