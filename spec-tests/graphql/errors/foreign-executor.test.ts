import type * as graphql17 from 'graphql'
import type { GraphQLError } from 'graphql'
import t from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import type { ExecuteFunction } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../../handler/client-of.js'
import { majors } from '../majors.js'

const sdl = 'type Query { a(value: Code): String } scalar Code'

/** `bugs` are the messages of what `onBug` got. */
// oxfmt-ignore
type Row = readonly [title: string, result: (module: typeof graphql17) => unknown, status: number, body: unknown, bugs: readonly RegExp[]]

const masked = { errors: [{ message: 'Internal server error', extensions: { id: 'id-1' } }] }
const data = { a: 'x' }

// oxfmt-ignore
const rows: readonly Row[] = [
  ['errors around an Error, without data', (module) => ({ errors: [locate(module, new Error('hunter2'))] }), 500, masked, [/^hunter2$/]],
  ['several of them', (module) => ({
    errors: [
      new module.GraphQLError('Shown.'),
      locate(module, new Error('hunter2')),
      locate(module, new Error('hunter3')),
    ],
  }), 500, masked, [/^execute: 2 errors without data\.$/]],
  ['an Error that is no GraphQLError', () => ({ errors: [new Error('hunter2')] }), 500, masked, [/^hunter2$/]],
  [
    'a GraphQLError without data',
    (module) => ({ errors: [new module.GraphQLError('Shown.')] }),
    422,
    { errors: [{ message: 'Shown.', extensions: { code: 'BAD_USER_INPUT' } }] },
    [],
  ],
  [
    'a GraphQLError around another, without data',
    (module) => ({ errors: [locate(module, new module.GraphQLError('Shown.'))] }),
    422,
    { errors: [{ message: 'Shown.' }] },
    [],
  ],
  ...[null, undefined, []].map((errors): Row => [`data and ${JSON.stringify(errors)} as errors`, () => ({ data, errors }), 200, { data }, []]),
  ...[{}, { errors: null }, { errors: [] }, undefined, null, 'hunter2'].map((result): Row => [
    `${JSON.stringify(result)} and nothing else`,
    () => result,
    500,
    masked,
    [/^execute: expected a result with data or errors, got /],
  ]),
  ...[Symbol('hunter2'), () => 'hunter2', 1n, 'hunter2', 5, true, [{ a: 'x' }]].map((value): Row => [
    `data that is ${typeof value}${Array.isArray(value) ? ', a list' : ''}`,
    () => ({ data: value }),
    500,
    masked,
    [/^execute: expected data to be an object or null, got /],
  ]),
  ...[undefined, 'hunter2', 5, ['hunter2']].map((value): Row => [
    `data with a toJSON that gives ${JSON.stringify(value)}`,
    () => ({ data: { ...data, toJSON: () => value } }),
    500,
    masked,
    [/^execute: expected data to be an object or null, got /],
  ]),
  ['data with a toJSON that gives an object', () => ({ data: { toJSON: () => data } }), 200, { data }, []],
  ...[Symbol('hunter2'), () => 'hunter2', 1n, 'hunter2', ['hunter2']].map((value): Row => [
    `extensions that are ${typeof value}`,
    () => ({ data, extensions: value }),
    500,
    masked,
    [/^execute: expected extensions to be an object, got /],
  ]),
  ['errors that are no list',  () => ({ data, errors: { message: 'hunter2' } }), 500, masked,   [/^execute: expected the errors of a result to be a list\.$/]],
  ['extensions that are null', () => ({ data, extensions: null }),               200, { data }, []],
]

for (const [major, module] of majors) {
  for (const [title, result, status, body, messages] of rows) {
    for (const isLate of [false, true]) {
      void t.test(`${major}: execute gives ${title}${isLate ? ', later' : ''}`, async (t) => {
        const given = result(module) as ReturnType<ExecuteFunction>
        const execute = () => (isLate ? Promise.resolve(given) : given)
        const { ask, bugs } = clientOf({ ...optionsFor(module), execute, createId: () => 'id-1' })
        const response = await ask('{ a }')
        t.equal(response.status, status)
        t.match(response.json(), body)
        t.notMatch(response.body, 'hunter')
        t.notMatch(response.body, 'null')
        const expected = messages.map((message) => ({ message }))
        t.match(bugs, expected)
        t.equal(bugs.length, messages.length)
      })
    }
  }

  void t.test(`${major}: a route masks them, too`, async (t) => {
    const bugs: unknown[] = []
    const handler = createRestHandler({
      ...optionsFor(module),
      execute: () => ({ errors: [locate(module, new Error('hunter2'))] }),
      onBug: (bug) => bugs.push(bug),
      routes: [{ method: 'GET', path: '/a', operation: '{ a }' }],
    })
    const response = await testClient(handler)({ target: '/a' })
    t.equal(response.status, 500)
    t.notMatch(response.body, 'hunter2')
    t.match(bugs, [{ message: 'hunter2' }])
  })

  void t.test(`${major}: what the parser of a scalar throws is the client's fault`, async (t) => {
    const { schema, graphql } = optionsFor(module)
    const refuse = thrower(new Error('Not a code.'))
    Object.assign(schema.getType('Code') ?? {}, { parseValue: refuse, coerceInputValue: refuse })
    const execute = ((args) => module.execute(args)) as ExecuteFunction
    const { ask, bugs } = clientOf({ schema, graphql, execute })
    const response = await ask('query ($v: Code) { a(value: $v) }', { v: 1 })
    t.equal(response.status, 422)
    t.match(response.body, 'Not a code.')
    t.strictSame(bugs, [])
  })
}

function optionsFor(module: typeof graphql17) {
  return { schema: module.buildSchema(sdl), graphql: module }
}

/** As executors do with what resolvers throw. */
function locate(module: typeof graphql17, error: Error): GraphQLError {
  return module.locatedError(error, undefined, ['a'])
}
