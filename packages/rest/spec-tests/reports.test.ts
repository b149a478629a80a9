import t from 'tap'
import { testClient } from 'graphwire/testing'
import { createRestHandler, type RestOptions } from '@graphwire/rest'
import { buildSchema } from 'graphwire'
import { majors } from '../../../spec-tests/graphql/majors.js'

interface Row {
  readonly name: string
  readonly fields: string
  readonly options?: Partial<RestOptions>
  readonly status: number
  /** The messages of what is reported, in the order of the fields. */
  readonly bugs: readonly string[]
}

const dropping: Partial<RestOptions> = { formatError: ({ message }) => ({ message }) }
const renaming: Partial<RestOptions> = {
  formatError: (formatted) => ({ ...formatted, extensions: { code: 'RENAMED', id: 'x' } }),
}

// oxfmt-ignore
const rows: readonly Row[] = [
  { name: 'an error',                                        fields: 'plain',                          status: 500, bugs: ['secret'] },
  { name: 'a code without a status',                         fields: 'weird',                          status: 500, bugs: ['weird'] },
  { name: 'an error without a code',                         fields: 'bare',                           status: 500, bugs: ['bare'] },
  { name: 'several',                                         fields: 'weird absent plain bare',        status: 500, bugs: ['bare', 'secret', 'weird'] },
  { name: 'a code with a status',                            fields: 'absent',                         status: 404, bugs: [] },
  { name: 'an error whose code formatError drops',           fields: 'plain',       options: dropping, status: 500, bugs: ['secret'] },
  { name: 'an error whose code and id formatError replaces', fields: 'plain weird', options: renaming, status: 500, bugs: ['secret', 'weird'] },
  {
    name: 'an error where the code of masked ones has a status',
    fields: 'plain',
    options: { statusOfCode: { INTERNAL_SERVER_ERROR: 500 } },
    status: 500,
    bugs: ['secret'],
  },
  { name: 'an error that is not masked',                     fields: 'plain',       options: { maskErrors: false }, status: 500, bugs: ['secret'] },
]

for (const [major, graphql] of majors) {
  const fail = (message: string, extensions?: object) => () => {
    throw new graphql.GraphQLError(message, { ...(extensions && { extensions }) } as object)
  }
  const schema = buildSchema(
    'type Query { thing: Thing }  type Thing { plain: Int  weird: Int  bare: Int  absent: Int }',
    {
      Query: { thing: () => ({}) },
      Thing: {
        plain: () => {
          throw new Error('secret')
        },
        weird: fail('weird', { code: 'WEIRD' }),
        bare: fail('bare'),
        absent: fail('absent', { code: 'NOT_FOUND' }),
      },
    },
    { graphql },
  )
  for (const { name, fields, options, status, bugs } of rows) {
    void t.test(`${major}: each bug is reported once, under its id: ${name}`, async (t) => {
      const reported: (readonly [message: string, id: string])[] = []
      let ids = 0
      const handler = createRestHandler({
        graphql,
        schema,
        routes: [{ method: 'GET', path: '/thing', operation: `{ thing { ${fields} } }` }],
        createId: () => `id-${(ids += 1)}`,
        onBug: (bug, { id }) => reported.push([(bug as Error).message, id]),
        ...options,
      })
      const response = await testClient(handler)({ target: '/thing' })
      t.equal(response.status, status)
      const { id } = response.json() as { id?: string }
      t.equal(id, bugs.length === 0 ? undefined : 'id-1')
      t.same(
        reported.toSorted(([one], [other]) => one.localeCompare(other)),
        bugs.map((message) => [message, id]),
      )
    })
  }
}

void t.test('errors of another executor may lack extensions', async (t) => {
  const reported: unknown[] = []
  const handler = createRestHandler({
    schema: buildSchema('type Query { a: Int }  type Mutation { m(v: Int): Int }'),
    execute: () => ({ data: { m: null }, errors: [{ message: 'secret', path: ['m'] }] }) as never,
    routes: [
      { method: 'PUT', path: '/m', operation: 'mutation ($v: Int) { m(v: $v) }', ifMatch: 'v' },
    ],
    onBug: (bug) => reported.push(bug),
  })
  const headers = { 'If-Match': '"1", "2"' }
  const response = await testClient(handler)({ method: 'PUT', target: '/m', json: {}, headers })
  t.equal(response.status, 500)
  t.match(reported, [{ message: 'secret' }])
})
