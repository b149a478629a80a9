import t from 'tap'
import { createRestHandler } from '@graphwire/rest'
import { failure } from 'graphwire'
import { testClient, type TestRequest } from 'graphwire/testing'
import { createPeople, routes } from './people.js'

const { schema } = createPeople()

// oxfmt-ignore
const cases: [name: string, request: TestRequest, status: number, path: string | undefined][] = [
  ['a resource',                  { target: '/person/1?x=1' },                401, '/person/{id}'],
  ['a path with escapes',         { target: '/%70erson/%31' },                401, '/person/{id}'],
  ['a method without a route',    { method: 'POST', target: '/person/1' },    401, '/person/{id}'],
  ['OPTIONS',                     { method: 'OPTIONS', target: '/person/1' }, 204, '/person/{id}'],
  ['a path without a route',      { target: '/nothing' },                     401, undefined],
  ['a path with a broken escape', { target: '/person/%ff' },                  401, undefined],
  ['OPTIONS of the server',       { method: 'OPTIONS', target: '*' },         204, undefined],
]
for (const [name, request, status, path] of cases) {
  void t.test(`onRoute: ${name} is reported as ${path ?? 'nothing'}, once`, async (t) => {
    const calls: unknown[] = []
    const handler = createRestHandler({
      schema,
      routes,
      authenticate: () => failure({ kind: 'unauthenticated', challenge: 'Key' }),
      onRoute: (found, head) => calls.push([found, head.target]),
    })
    const response = await testClient(handler)(request)
    t.equal(response.status, status)
    t.strictSame(calls, path === undefined ? [] : [[path, request.target]])
  })
}

// oxfmt-ignore
const failures: [name: string, onRoute: () => void | Promise<void>][] = [
  ['throws',  () => { throw new Error('secret') }],
  ['rejects', () => Promise.reject(new Error('secret'))],
]
for (const [name, onRoute] of failures) {
  void t.test(`an onRoute that ${name} is reported, and the request continues`, async (t) => {
    const bugs: unknown[] = []
    const handler = createRestHandler({ schema, routes, onRoute, onBug: (bug) => bugs.push(bug) })
    const response = await testClient(handler)({ target: '/person/1' })
    t.equal(response.status, 200)
    t.match(bugs, [{ message: 'secret' }])
  })
}
