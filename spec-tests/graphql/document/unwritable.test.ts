import t from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import { createHandler, createRestHandler, type Options } from '../../../src/index.js'
import { majors } from '../../handler/steps/majors.js'

const round: Record<string, unknown> = {}
round['self'] = round
const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], [])

/** What JSON cannot hold. */
// oxfmt-ignore
const unwritable: readonly (readonly [title: string, value: unknown])[] = [
  ['a BigInt',                   1n],
  ['a cycle',                    round],
  ['a BigInt within a list',     [{ size: 1n }]],
  [
    'a toJSON that throws',
    {
      toJSON() {
        throw new Error('hunter2')
      },
    },
  ],
  ['a list nested 100,000 deep', deep],
]

function raise(error: Error): never {
  throw error
}

type Extensions = Readonly<Record<string, unknown>>

/** Who puts the extensions on the error, and what stays of it; the last two cannot be taken apart. */
const ways: readonly {
  readonly title: string
  readonly extensionsOf: (value: unknown) => Extensions
  readonly byFormat?: boolean
  readonly kept: object | undefined
  readonly left: RegExp
}[] = [
  {
    title: 'a resolver',
    extensionsOf: (value) => ({ code: 'MINE', size: value }),
    kept: { code: 'MINE' },
    left: /^extensions\.size of an error cannot be written as JSON and was omitted\.$/,
  },
  {
    title: 'formatError',
    extensionsOf: (value) => ({ code: 'MINE', size: value }),
    byFormat: true,
    kept: { code: 'MINE' },
    left: /^extensions\.size of an error /,
  },
  {
    title: 'formatError, with a toJSON of theirs',
    extensionsOf: (value) => ({ code: 'MINE', toJSON: () => ({ value }) }),
    byFormat: true,
    kept: undefined,
    left: /^extensions of an error /,
  },
]

for (const { name, graphql, schema, GraphQLError } of majors) {
  for (const { title, extensionsOf, byFormat = false, kept, left } of ways) {
    for (const [what, value] of unwritable) {
      void t.test(
        `${name}: ${what} in extensions of ${title} is omitted and reported`,
        async (t) => {
          const bugs: { readonly bug: Error; readonly path: unknown }[] = []
          const extensions = extensionsOf(value)
          const fail = () => {
            throw new GraphQLError('Shown.', byFormat ? {} : { extensions })
          }
          const options: Options = {
            schema,
            graphql,
            rootValue: { a: fail, plain: () => 'x' },
            ...(byFormat && { formatError: (formatted) => ({ ...formatted, extensions }) }),
            onBug: (bug, { path }) => bugs.push({ bug: bug as Error, path }),
          }
          const response = await testClient(createHandler(options))({
            json: { query: '{ a plain }' },
          })
          t.equal(response.status, 294)
          const body = response.json() as { readonly errors: readonly Extensions[] }
          t.match(body, {
            data: { a: null, plain: 'x' },
            errors: [{ message: 'Shown.', path: ['a'] }],
          })
          t.strictSame(body.errors[0]?.['extensions'], kept)
          t.match(bugs, [{ bug: { name: 'TypeError', message: left }, path: ['a'] }])
          t.ok(bugs[0]?.bug.cause instanceof Error)
        },
      )
    }
  }

  void t.test(`${name}: an error of a request loses them alike`, async (t) => {
    const bugs: unknown[] = []
    const formatError: Options['formatError'] = ({ message, extensions }) => ({
      message,
      extensions: { ...extensions, size: 1n },
    })
    const handler = createHandler({ schema, graphql, formatError, onBug: (bug) => bugs.push(bug) })
    const response = await testClient(handler)({ json: { query: '{ nope }' } })
    t.equal(response.status, 422)
    t.match(response.json(), { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
    t.match(bugs, [{ message: /^extensions\.size / }])
  })

  void t.test(`${name}: members beside the extensions are left out, too`, async (t) => {
    const bugs: unknown[] = []
    const formatError: Options['formatError'] = (formatted) => ({ ...formatted, size: 1n })
    const handler = createHandler({ schema, graphql, formatError, onBug: (bug) => bugs.push(bug) })
    const response = await testClient(handler)({ json: { query: '{ nope }' } })
    t.equal(response.status, 422)
    t.match(bugs, [{ message: /^size of an error / }])
  })

  for (const [what, toJSON] of [
    ['undefined', () => undefined],
    ['null', () => null],
    ['a list', () => []],
    ['a number', () => 5],
    ['an error', () => raise(new Error('hunter2'))],
  ] as const) {
    void t.test(`${name}: an error whose toJSON gives ${what} is sent without it`, async (t) => {
      const bugs: unknown[] = []
      const formatError: Options['formatError'] = ({ message }) => ({ message, toJSON })
      const handler = createHandler({
        schema,
        graphql,
        formatError,
        onBug: (bug) => bugs.push(bug),
      })
      const response = await testClient(handler)({ json: { query: '{ nope }' } })
      t.equal(response.status, 422)
      t.match(response.json(), { errors: [{ message: /nope/ }] })
      t.match(bugs, [{ message: /^toJSON of an error / }])
      t.equal(bugs.length, 1)
    })
  }

  void t.test(`${name}: an error may have a toJSON that gives an object`, async (t) => {
    const bugs: unknown[] = []
    const formatError: Options['formatError'] = ({ message }) =>
      ({ message, toJSON: () => ({ message, size: 1 }) }) as never
    const handler = createHandler({ schema, graphql, formatError, onBug: (bug) => bugs.push(bug) })
    const response = await testClient(handler)({ json: { query: '{ nope }' } })
    t.match(response.json(), { errors: [{ message: /nope/, size: 1 }] })
    t.same(bugs, [])
  })

  void t.test(`${name}: a route keeps the status of the code`, async (t) => {
    const bugs: unknown[] = []
    const extensions = { code: 'NOT_FOUND', size: 1n }
    const handler = createRestHandler({
      schema,
      graphql,
      rootValue: {
        a() {
          throw new GraphQLError('Gone.', { extensions })
        },
      },
      onBug: (bug) => bugs.push(bug),
      routes: [{ method: 'GET', path: '/a', operation: '{ a }' }],
    })
    t.equal((await testClient(handler)({ target: '/a' })).status, 404)
  })
}
