import * as graphql17 from 'graphql'
import t from 'tap'
import { findInherited } from '../../../src/graphql/schema/inherited-names.js'
import { testClient, type TestRequest } from '../../../src/hosts/testing.js'
import { createRestHandler, type Route } from '@graphwire/rest'
import type { ExecuteFunction } from '../../../src/index.js'
import { clientOf } from '../../handler/client-of.js'
import { majors } from '../majors.js'

/** Names that every object has from `Object.prototype`. */
const sdl = `
  type Query {
    a(constructor: String, toString: Int = 4, input: In): String
    toString: String
    valueOf: Int
    thing: Thing
    things: [Thing]
  }
  input In { constructor: String  hasOwnProperty: Int = 3  valueOf: In  list: [In!]  isPrototypeOf: String }
  type Thing { toString: String  constructor: String  hasOwnProperty: Int  id: ID }
`

class Named {
  readonly id = '2'
  toString(): string {
    return 'its own'
  }
}

/** As JSON, in which `__proto__` is a member like others. */
const parse = (text: string): { [name: string]: unknown } =>
  JSON.parse(text) as { [name: string]: unknown }

// oxfmt-ignore
const rows: readonly [query: string, variables: string | undefined, data: object][] = [
  ['{ a(constructor: "x", input: { hasOwnProperty: 5 }) }', undefined, { a: { constructor: 'x', toString: 4, input: { hasOwnProperty: 5 } } }],
  ['query ($constructor: String) { a(constructor: $constructor) }',     '{}',                  { a: { toString: 4 } }],
  ['query ($constructor: String) { a(constructor: $constructor) }',     undefined,             { a: { toString: 4 } }],
  ['query ($constructor: String) { a(constructor: $constructor) }',     '{"constructor":"x"}', { a: { constructor: 'x', toString: 4 } }],
  ['query ($__proto__: String) { a(constructor: $__proto__) }',         '{"__proto__":"x"}',   { a: { constructor: 'x', toString: 4 } }],
  ['query ($hasOwnProperty: Int = 9) { a(toString: $hasOwnProperty) }', '{}',                  { a: { toString: 9 } }],
  ['query ($i: In) { a(input: $i) }',                                   '{"i":{}}',            { a: { toString: 4, input: { hasOwnProperty: 3 } } }],
  ['query ($i: In) { a(input: $i) }', '{"i":{"valueOf":{"list":[{"constructor":"x"}]}}}', {
    a: {
      toString: 4,
      input: {
        hasOwnProperty: 3,
        valueOf: { hasOwnProperty: 3, list: [{ constructor: 'x', hasOwnProperty: 3 }] },
      },
    },
  }],
  ['{ toString valueOf }',                                 undefined, { toString: null, valueOf: null }],
  ['{ thing { toString constructor hasOwnProperty id } }', undefined, { thing: { toString: null, constructor: null, hasOwnProperty: null, id: '1' } }],
  ['{ things { toString id } }',                           undefined, { things: [{ toString: 'mine', id: null }, { toString: 'its own', id: '2' }] }],
]

// oxfmt-ignore
type Requested = readonly [title: string, operation: string, route: Partial<Route>, request: TestRequest, body: object]

const post = { method: 'POST' } as const
const in3 = { hasOwnProperty: 3 }
// oxfmt-ignore
const requests: readonly Requested[] = [
  [
    'the members of a body',
    'query ($constructor: String, $__proto__: Int) { a(constructor: $constructor, toString: $__proto__) }',
    post, { body: '{"constructor":"x","__proto__":5}' }, { constructor: 'x', toString: 5 },
  ],
  [
    'members that are not there',
    'query ($constructor: String, $toString: Int = 8) { a(constructor: $constructor, toString: $toString) }',
    post, { body: '{}' }, { toString: 8 },
  ],
  ['a whole body', 'query ($i: In!) { a(input: $i) }', { ...post, body: 'i' }, { body: '{"valueOf":{}}' }, { toString: 4, input: { ...in3, valueOf: in3 } }],
  [
    'the query',
    'query ($constructor: String, $hasOwnProperty: Int) { a(constructor: $constructor, toString: $hasOwnProperty) }',
    { parameters: {} }, { target: '/a?hasOwnProperty=7' }, { toString: 7 },
  ],
  [
    'the path',
    'query ($constructor: String!, $__proto__: Int!) { a(constructor: $constructor, toString: $__proto__) }',
    { path: '/a/{__proto__}/{constructor}' }, { target: '/a/3/__proto__' }, { constructor: '__proto__', toString: 3 },
  ],
  [
    'the version',
    'query ($__proto__: Int) { a(toString: $__proto__) }',
    { method: 'PUT', ifMatch: '__proto__' }, { method: 'PUT', body: '{}', headers: { 'If-Match': '"6"' } }, { toString: 6 },
  ],
]

for (const [major, module] of majors) {
  for (const execute of [undefined, ((args) => module.execute(args)) as ExecuteFunction]) {
    for (const [query, variables, data] of rows) {
      const how = execute ? ', executed by others' : ''
      void t.test(`${major}: ${query} ${variables ?? ''}${how}`, async (t) => {
        const schema = schemaOf(module)
        const { ask, bugs } = clientOf({ schema, graphql: module, rootValue: {}, execute })
        const response = await ask(query, variables === undefined ? undefined : parse(variables))
        t.equal(response.status, 200, response.body)
        const { data: got } = response.json() as { data: { a?: string } }
        t.same(got.a === undefined ? got : { a: parse(got.a) }, data)
        t.strictSame(bugs, [])
      })
    }
  }

  void t.test(`${major}: a field that only a prototype has is not an input field`, async (t) => {
    const { ask } = clientOf({ schema: schemaOf(module), graphql: module })
    const variables = parse('{"i":{"__proto__":{"constructor":"y"}}}')
    const response = await ask('query ($i: In) { a(input: $i) }', variables)
    t.equal(response.status, 422)
    t.match(response.body, '__proto__')
    t.equal(({} as { y?: unknown }).y, undefined)
  })

  void t.test(`${major}: aliases may have any name`, async (t) => {
    const names = ['constructor', '__proto__', 'hasOwnProperty', 'toString']
    const { ask } = clientOf({ schema: schemaOf(module), graphql: module })
    const { body } = await ask(`{ ${names.map((name) => `${name}: a`).join(' ')} }`)
    t.equal(body, `{"data":{${names.map((name) => `"${name}":"{\\"toString\\":4}"`).join()}}}`)
  })

  for (const [title, operation, route, request, body] of requests) {
    void t.test(`${major}: a route may take ${title} by such names`, async (t) => {
      const routes = [{ method: 'GET', path: '/a', operation, ...route } as Route]
      const rest = createRestHandler({ schema: schemaOf(module), graphql: module, routes })
      const headers = { 'Content-Type': 'application/json', ...request.headers }
      const response = await testClient(rest)({ target: '/a', ...request, headers })
      t.equal(response.status, 200, response.body)
      t.same(parse(response.json() as string), body)
    })
  }
}

function schemaOf(module: typeof graphql17) {
  const schema = module.buildSchema(sdl)
  const { a, thing, things } = schema.getQueryType()?.getFields() ?? {}
  if (a) a.resolve = (_, args) => JSON.stringify(args)
  if (thing) thing.resolve = () => ({ id: '1' })
  if (things) things.resolve = () => [{ toString: () => 'mine' }, new Named()]
  return schema
}

// oxfmt-ignore
const placesOfNames: readonly [sdl: string, ofInputs: boolean, ofOutputs: boolean][] = [
  ['type Query { a(b: In): Int } input In { c: Int }',        false, false],
  ['type Query { a(b: In): Int } input In { toString: Int }', true,  false],
  ['type Query { toString(b: In): Int } input In { c: Int }', false, true],
]
for (const [text, ofInputs, ofOutputs] of placesOfNames) {
  void t.test(`inherited names in inputs: ${ofInputs}, in outputs: ${ofOutputs}`, async (t) => {
    t.same(findInherited(graphql17.buildSchema(text)), { ofInputs, ofOutputs })
  })
}
