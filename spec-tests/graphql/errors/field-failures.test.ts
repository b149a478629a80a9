import * as graphql17 from 'graphql'
import type { GraphQLError, GraphQLSchema } from 'graphql'
import t from 'tap'
import { compiledExecution } from '../../../src/compiled/index.js'
import { buildSchema, type Options } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../../handler/client-of.js'
import { accepts, without17 } from '../../incremental/client.js'
import { majors } from '../majors.js'
import { bodyOf } from '../../incremental/read-parts.js'

const executions = { 'by graphql-js': undefined, compiled: compiledExecution({ afterUses: 0 }) }

const sdl = `
  type Query { items: [Item] }
  type Mutation { errors: [Int]  rejected: [Int]  late: [Int]  after: Int }
  type Item { throws: Int  explicit: Int  rejects: Int  returns: Int  missing: Int!  wrong: Int }
`

/** Fields of each item that fail: after too many, no other resolver that fails at once is called. */
const atOnce = ['throws', 'explicit', 'returns']
const fields = [...atOnce, 'rejects', 'missing', 'wrong']

const query = (field: string) => `{\n\n  items {\r\n    ${field}\n    other: ${field} } }`

interface Body {
  readonly data: unknown
  readonly errors: readonly { readonly path?: readonly unknown[] }[]
}

async function send<Raw, Principal>(options: Options<Raw, Principal>, field: string) {
  return (await clientOf(options).ask(query(field))).json<Body>()
}

for (const [major, graphql] of majors) {
  const no = () => new graphql.GraphQLError('No.', { extensions: { code: 'NO' } })

  const world = (length: number) => {
    let calls = 0
    const fail = (): never => {
      calls += 1
      throw no()
    }
    const returns = () => ((calls += 1), no())
    const item = { throws: fail, rejects: async () => fail(), returns, wrong: 'text' }
    const items = Array.from({ length }, () => item)
    const schema = buildSchema(
      sdl,
      {
        Item: { explicit: fail },
        Query: { items: () => items },
        Mutation: {
          errors: () => Array.from({ length }, no),
          rejected: () => Array.from({ length }, () => Promise.reject(no())),
          late: async () => Array.from({ length }, no),
          after: fail,
        },
      },
      { graphql },
    )
    return { schema, calls: () => calls }
  }

  for (const field of ['errors', 'rejected', 'late']) {
    void t.test(`${major}: items of ${field} are counted, with errors of graphql-js`, async (t) => {
      const source = `mutation { ${field} after }`
      const ask = async (schema: GraphQLSchema, options: object) =>
        (await clientOf({ graphql, schema, ...options }).ask(source)).json<Body>()
      const { schema } = world(3)
      const expected = await graphql.execute({ schema, document: graphql.parse(source) })
      const body = await ask(schema, { maskErrors: false })
      t.same(body, JSON.parse(JSON.stringify(expected)))
      const other = world(3)
      const { errors } = await ask(other.schema, { maxFieldErrors: 2 })
      t.match(errors[0], { extensions: { code: 'TOO_MANY_FIELD_ERRORS' } })
      t.equal(other.calls(), 0, 'the field behind them is not resolved')
    })
  }

  for (const [how, execution] of Object.entries(executions)) {
    void t.test(`${major}, ${how}: a stopped service behind it fails one field`, async (t) => {
      const code = 'TOO_MANY_FIELD_ERRORS'
      const stopped = thrower(new graphql.GraphQLError('Stopped.', { extensions: { code } }))
      const schema = buildSchema(
        'type Query { other: String behind: String late: String }',
        { Query: { other: () => 'data', behind: stopped, late: async () => stopped() } },
        { graphql },
      )
      const { ask } = clientOf({ graphql, schema, execution })
      const { data, errors } = (await ask('{ other behind late }')).json<Body>()
      t.same(data, { other: 'data', behind: null, late: null })
      t.match(errors, [{ message: 'Stopped.', extensions: { code } }, { path: ['late'] }])
    })

    void t.test(`${major}, ${how}: the first bug beside promises is reported`, async (t) => {
      const down = thrower(new Error('The database is down.'))
      const items = () => Array.from({ length: 20 }, () => ({}))
      const schema = buildSchema(
        'type Query { items: [Item] } type Item { late: Int at: Int! }',
        { Query: { items }, Item: { late: async () => down(), at: down } },
        { graphql },
      )
      const { ask, bugs } = clientOf({ graphql, schema, execution, maxFieldErrors: 5 })
      const { errors } = (await ask('{ items { late at } }')).json<Body>()
      const codes = ['TOO_MANY_FIELD_ERRORS', 'INTERNAL_SERVER_ERROR']
      for (const [at, code] of codes.entries()) t.match(errors[at], { extensions: { code } })
      t.match(bugs, [{ message: 'The database is down.' }])
    })

    void t.test(`${major}, ${how}: executions of others are not counted`, async (t) => {
      const { schema, calls } = world(20)
      await send({ graphql, schema, execution, maxFieldErrors: 2 }, 'throws')
      const before = calls()
      const own = await graphql.execute({ schema, document: graphql.parse('{ items { throws } }') })
      t.equal(own.errors?.length, 20)
      t.match(own.errors, [{ message: 'No.', path: ['items', 0, 'throws'] }])
      t.equal(calls() - before, 20)
    })

    void t.test(`${major}, ${how}: handlers that share documents have a limit each`, async (t) => {
      const document = graphql.parse(query('throws'))
      const shared = { ...graphql, parse: () => document }
      const [high, low] = [100, 1].map((maxFieldErrors) =>
        clientOf({ graphql: shared, schema: world(20).schema, execution, maxFieldErrors }),
      )
      for (const [client, errors] of [
        [high, 40],
        [low, 2],
        [high, 40],
      ] as const) {
        const body = (await client?.ask(query('throws')))?.json<Body>()
        t.equal(body?.errors.length, errors)
      }
    })

    void t.test(`${major}, ${how}: with a limit of 0 the first error is kept`, async (t) => {
      const options = { graphql, schema: world(2).schema, execution, maxFieldErrors: 0 }
      const { data, errors } = await send(options, 'throws')
      t.equal(data, null)
      t.match(errors, [{ extensions: { code: 'TOO_MANY_FIELD_ERRORS' } }, { message: 'No.' }])
    })

    for (const field of fields) {
      const name = `${major}, ${how}: ${field}`

      void t.test(`${name}: errors are those of graphql-js`, async (t) => {
        const { schema } = world(3)
        const document = graphql.parse(query(field))
        const expected = await graphql.execute({ schema, document })
        const errors: GraphQLError[] = []
        const formatError: Options['formatError'] = (formatted, error) => (
          errors.push(error as GraphQLError),
          formatted
        )
        const limits = { maskErrors: false, maxFieldErrors: 6 }
        const body = await send({ graphql, schema, execution, ...limits, formatError }, field)
        t.same(body.errors, JSON.parse(JSON.stringify(expected.errors)))
        t.same(body.data, expected.data)
        for (const [at, one] of (expected.errors ?? []).entries()) {
          const error = errors[at] as GraphQLError
          t.ok(error instanceof graphql.GraphQLError)
          t.same(error.positions, one.positions)
          t.same(error.source?.body, one.source?.body)
          t.equal(error.nodes?.length, one.nodes?.length)
          t.match(error.stack, /\n +at /, 'the stack of the original')
        }
        t.not(Error.stackTraceLimit, 0)
      })

      void t.test(`${name}: too many end the operation`, async (t) => {
        const { schema, calls } = world(10)
        const options = { graphql, schema, execution }
        const { data, errors } = await send({ ...options, maxFieldErrors: 5 }, field)
        t.equal(data, null)
        t.equal(errors.length, 2)
        t.match(errors[0], {
          message: 'The operation was stopped because more than 5 fields failed.',
          extensions: { code: 'TOO_MANY_FIELD_ERRORS' },
        })
        t.same(errors[1]?.path, ['items', 0, field])
        if (atOnce.includes(field)) t.equal(calls(), 6)
        const answer = await send({ ...options, schema: world(1).schema }, field)
        t.ok(answer.errors.length <= 2, 'the next one is not disturbed')
      })
    }
  }
}

const count = (text: string, code: string) => text.split(`"code":"${code}"`).length - 1

// oxfmt-ignore
const inParts: readonly [title: string, query: string, body: RegExp, failures: number][] = [
  ['before the first part', '{ items { throws } ... @defer { last: __typename } }', /"data":null,"hasNext":false/, 1],
  ['in a later part',       '{ __typename ... @defer { items { throws } } }',        /"hasNext":false/, 5],
]
for (const [title, document, body, failures] of inParts) {
  void t.test(`results in parts: too many failures ${title}`, { skip: without17 }, async (t) => {
    const throws = thrower(new graphql17.GraphQLError('No.', { extensions: { code: 'NO' } }))
    const items = () => Array.from({ length: 9 }, () => ({ throws }))
    const schema = buildSchema(sdl, { Query: { items } })
    const client = clientOf({ schema, maxFieldErrors: 5 })
    const headers = { Accept: accepts['v0.2'] }
    const text = await bodyOf(await client.send({ json: { query: document }, headers }))
    t.match(text, body)
    t.equal(count(text, 'TOO_MANY_FIELD_ERRORS'), 1)
    t.equal(count(text, 'NO'), failures)
  })
}
