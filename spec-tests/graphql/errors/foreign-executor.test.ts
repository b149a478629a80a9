import * as graphql16 from 'graphql-16'
import * as graphql17 from 'graphql'
import type { GraphQLError } from 'graphql'
import t from 'tap'
import { testClient, type TestRequest } from '../../../src/hosts/testing.js'
import { createHandler, createRestHandler, type ExecuteFunction } from '../../../src/index.js'

const sdl = 'type Query { a(value: Code): String } scalar Code'

const majors: readonly (readonly [name: string, module: typeof graphql17])[] = [
  ['graphql 16', graphql16 as unknown as typeof graphql17],
  ['graphql 17', graphql17],
]

const json = { query: '{ a }' }

interface Row {
  readonly title: string
  readonly result: (module: typeof graphql17) => unknown
  readonly status: number
  readonly body: unknown
  /** The messages of what `onBug` got. */
  readonly bugs: readonly RegExp[]
}

const masked = { errors: [{ message: 'Internal server error', extensions: { id: 'id-1' } }] }
const data = { a: 'x' }

const rows: readonly Row[] = [
  {
    title: 'errors around an Error, without data',
    result: (module) => ({ errors: [locate(module, new Error('hunter2'))] }),
    status: 500,
    body: masked,
    bugs: [/^hunter2$/],
  },
  {
    title: 'several of them',
    result: (module) => ({
      errors: [
        new module.GraphQLError('Shown.'),
        locate(module, new Error('hunter2')),
        locate(module, new Error('hunter3')),
      ],
    }),
    status: 500,
    body: masked,
    bugs: [/^execute: 2 errors without data\.$/],
  },
  {
    title: 'an Error that is no GraphQLError',
    result: () => ({ errors: [new Error('hunter2')] }),
    status: 500,
    body: masked,
    bugs: [/^hunter2$/],
  },
  {
    title: 'a GraphQLError without data',
    result: (module) => ({ errors: [new module.GraphQLError('Shown.')] }),
    status: 422,
    body: { errors: [{ message: 'Shown.', extensions: { code: 'BAD_USER_INPUT' } }] },
    bugs: [],
  },
  {
    title: 'a GraphQLError around another, without data',
    result: (module) => ({ errors: [locate(module, new module.GraphQLError('Shown.'))] }),
    status: 422,
    body: { errors: [{ message: 'Shown.' }] },
    bugs: [],
  },
  ...[null, undefined, []].map((errors) => ({
    title: `data and ${JSON.stringify(errors)} as errors`,
    result: () => ({ data, errors }),
    status: 200,
    body: { data },
    bugs: [],
  })),
  ...[{}, { errors: null }, { errors: [] }, undefined, null, 'hunter2'].map((result) => ({
    title: `${JSON.stringify(result)} and nothing else`,
    result: () => result,
    status: 500,
    body: masked,
    bugs: [/^execute: expected a result with data or errors, got /],
  })),
  ...[Symbol('hunter2'), () => 'hunter2', 1n, 'hunter2', 5, true, [{ a: 'x' }]].map((value) => ({
    title: `data that is ${typeof value}${Array.isArray(value) ? ', a list' : ''}`,
    result: () => ({ data: value }),
    status: 500,
    body: masked,
    bugs: [/^execute: expected data to be an object or null, got /],
  })),
  ...[undefined, 'hunter2', 5, ['hunter2']].map((value) => ({
    title: `data with a toJSON that gives ${JSON.stringify(value)}`,
    result: () => ({ data: { ...data, toJSON: () => value } }),
    status: 500,
    body: masked,
    bugs: [/^execute: expected data to be an object or null, got /],
  })),
  {
    title: 'data with a toJSON that gives an object',
    result: () => ({ data: { toJSON: () => data } }),
    status: 200,
    body: { data },
    bugs: [],
  },
  ...[Symbol('hunter2'), () => 'hunter2', 1n, 'hunter2', ['hunter2']].map((value) => ({
    title: `extensions that are ${typeof value}`,
    result: () => ({ data, extensions: value }),
    status: 500,
    body: masked,
    bugs: [/^execute: expected extensions to be an object, got /],
  })),
  {
    title: 'errors that are no list',
    result: () => ({ data, errors: { message: 'hunter2' } }),
    status: 500,
    body: masked,
    bugs: [/^execute: expected the errors of a result to be a list\.$/],
  },
  {
    title: 'extensions that are null',
    result: () => ({ data, extensions: null }),
    status: 200,
    body: { data },
    bugs: [],
  },
]

for (const [major, module] of majors) {
  for (const { title, result, status, body, bugs: messages } of rows) {
    for (const isLate of [false, true]) {
      void t.test(`${major}: execute gives ${title}${isLate ? ', later' : ''}`, async (t) => {
        const bugs: unknown[] = []
        const given = result(module) as ReturnType<ExecuteFunction>
        const execute = () => (isLate ? Promise.resolve(given) : given)
        const response = await testClient(handlerOf(module, execute, bugs))({ json })
        t.equal(response.status, status)
        t.match(response.json(), body)
        t.notMatch(response.body, 'hunter')
        t.notMatch(response.body, 'null')
        t.match(
          bugs.map((bug) => (bug as Error).message),
          messages,
        )
        t.equal(bugs.length, messages.length)
      })
    }
  }

  void t.test(`${major}: a route masks them, too`, async (t) => {
    const bugs: unknown[] = []
    const handler = createRestHandler({
      schema: module.buildSchema(sdl),
      graphql: module,
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
    const schema = module.buildSchema(sdl)
    const refuse = (): never => {
      throw new Error('Not a code.')
    }
    Object.assign(schema.getType('Code') ?? {}, { parseValue: refuse, coerceInputValue: refuse })
    const bugs: unknown[] = []
    const execute = ((args) => module.execute(args)) as ExecuteFunction
    const handler = createHandler({
      schema,
      graphql: module,
      execute,
      onBug: (bug) => bugs.push(bug),
    })
    const request: TestRequest = {
      json: { query: 'query ($v: Code) { a(value: $v) }', variables: { v: 1 } },
    }
    const response = await testClient(handler)(request)
    t.equal(response.status, 422)
    t.match(response.body, 'Not a code.')
    t.strictSame(bugs, [])
  })
}

function handlerOf(module: typeof graphql17, execute: ExecuteFunction, bugs: unknown[]) {
  return createHandler({
    schema: module.buildSchema(sdl),
    graphql: module,
    execute,
    onBug: (bug) => bugs.push(bug),
    createId: () => 'id-1',
  })
}

/** As executors do with what resolvers throw. */
function locate(module: typeof graphql17, error: Error): GraphQLError {
  return module.locatedError(error, undefined, ['a'])
}
