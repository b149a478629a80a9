import t from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import type { Options } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../../handler/client-of.js'
import { majors } from '../../handler/steps/majors.js'

const round: Record<string, unknown> = {}
round['self'] = round
const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], [])
const throwing = { toJSON: thrower(new Error('hunter2')) }

// oxfmt-ignore
const unwritable: readonly (readonly [title: string, value: unknown])[] = [
  ['a BigInt',                   1n],
  ['a cycle',                    round],
  ['a BigInt within a list',     [{ size: 1n }]],
  ['a toJSON that throws',       throwing],
  ['a list nested 100,000 deep', deep],
]

type Extensions = Readonly<Record<string, unknown>>

// oxfmt-ignore
type Format = readonly [title: string, format: NonNullable<Options['formatError']>, error: object, bugs: readonly RegExp[]]

/** Who puts the extensions on the error, and what stays of it; the last cannot be taken apart. */
// oxfmt-ignore
const ways: readonly [who: string, toExtensions: (value: unknown) => Extensions, kept: object | undefined, left: RegExp][] = [
  ['a resolver',              (size) => ({ code: 'MINE', size }),                       { code: 'MINE' }, /^extensions\.size of an error cannot be written as JSON .*omitted/],
  ['formatError',             (size) => ({ code: 'MINE', size }),                       { code: 'MINE' }, /^extensions\.size of an error /],
  ['formatError with toJSON', (value) => ({ code: 'MINE', toJSON: () => ({ value }) }), undefined,        /^extensions of an error /],
]

for (const { name, graphql, schema, GraphQLError } of majors) {
  for (const [who, toExtensions, kept, left] of ways) {
    for (const [what, value] of unwritable) {
      const title = `${name}: ${what} in extensions of ${who} is omitted and reported`
      void t.test(title, async (t) => {
        const bugs: { readonly bug: Error; readonly path: unknown }[] = []
        const extensions = toExtensions(value)
        const byFormat = who.startsWith('formatError')
        const a = thrower(new GraphQLError('Shown.', byFormat ? {} : { extensions }))
        const options: Options = {
          schema,
          graphql,
          rootValue: { a, plain: () => 'x' },
          ...(byFormat && { formatError: (formatted) => ({ ...formatted, extensions }) }),
          onBug: (bug, { path }) => bugs.push({ bug: bug as Error, path }),
        }
        const response = await clientOf(options).ask('{ a plain }')
        t.equal(response.status, 294)
        const body = response.json() as { readonly errors: readonly Extensions[] }
        const errors = [{ message: 'Shown.', path: ['a'] }]
        t.match(body, { data: { a: null, plain: 'x' }, errors })
        t.strictSame(body.errors[0]?.['extensions'], kept)
        t.match(bugs, [{ bug: { name: 'TypeError', message: left }, path: ['a'] }])
        t.ok(bugs[0]?.bug.cause instanceof Error)
      })
    }
  }

  // oxfmt-ignore
  const formats: readonly Format[] = [
    [
      'an error of a request loses them alike',
      ({ message, extensions }) => ({ message, extensions: { ...extensions, size: 1n } }),
      { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
      [/^extensions\.size /],
    ],
    ['members beside the extensions are left out, too', (formatted) => ({ ...formatted, size: 1n }), { message: /nope/ }, [/^size of an error /]],
    ...[() => undefined, () => null, () => [], () => 5, throwing.toJSON].map((toJSON, at): Format => [
      `an error whose toJSON gives no object is sent without it: ${at}`,
      ({ message }) => ({ message, toJSON }) as never,
      { message: /nope/ },
      [/^toJSON of an error /],
    ]),
    [
      'an error may have a toJSON that gives an object',
      ({ message }) => ({ message, toJSON: () => ({ message, size: 1 }) }) as never,
      { message: /nope/, size: 1 },
      [],
    ],
  ]
  for (const [title, formatError, error, reported] of formats) {
    void t.test(`${name}: ${title}`, async (t) => {
      const { ask, bugs } = clientOf({ schema, graphql, formatError })
      const response = await ask('{ nope }')
      t.equal(response.status, 422)
      t.match(response.json(), { errors: [error] })
      const expected = reported.map((message) => ({ message }))
      t.match(bugs, expected)
      t.equal(bugs.length, reported.length)
    })
  }

  void t.test(`${name}: a route keeps the status of the code`, async (t) => {
    const extensions = { code: 'NOT_FOUND', size: 1n }
    const handler = createRestHandler({
      schema,
      graphql,
      rootValue: { a: thrower(new GraphQLError('Gone.', { extensions })) },
      onBug: () => undefined,
      routes: [{ method: 'GET', path: '/a', operation: '{ a }' }],
    })
    t.equal((await testClient(handler)({ target: '/a' })).status, 404)
  })
}
