import { setTimeout as pause } from 'node:timers/promises'
import * as graphql16 from 'graphql-16'
import * as graphql17 from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import t from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import {
  buildSchema,
  createHandler,
  type ExecuteFunction,
  type OperationRequest,
  type Options,
} from '../../../src/index.js'

type Resolvers = NonNullable<Parameters<typeof buildSchema>[1]>

const majors: readonly (readonly [name: string, module: typeof graphql17])[] = [
  ['graphql 16', graphql16 as unknown as typeof graphql17],
  ['graphql 17', graphql17],
]

const no = (): never => {
  throw new Error('No.')
}
const noLater = async (): Promise<never> => {
  await pause(5)
  return no()
}

/** A thenable that runs its listener from a timer of its own, where a throw would end the process. */
const fromTimer = (then: (ok: (value: unknown) => void) => void) => ({
  // oxlint-disable-next-line unicorn/no-thenable -- it is what the rows are about
  then: (ok: (value: unknown) => void) => setTimeout(() => then(ok), 5),
})

const union = 'union U = A | B  type A { x: String! } type B { y: String! }'
const both = [{ __typename: 'A' }, { __typename: 'B' }]
const differing: Resolvers = { Query: { s: () => both }, A: { x: noLater }, B: { y: no } }
const fields = '{ s { ... on A { x } ... on B { y } } }'

interface Row {
  readonly name: string
  readonly sdl: string
  readonly resolvers: Resolvers
  readonly query: string
  /** The JSON of `data`; a list whose item fails is null itself, or its parent is. */
  readonly data: object | null
}

const rows: readonly Row[] = [
  {
    name: 'types that fail later and at once',
    sdl: `type Query { s: [U!]! } ${union}`,
    resolvers: differing,
    query: fields,
    data: null,
  },
  {
    name: 'a nullable list of them',
    sdl: `type Query { s: [U!] } ${union}`,
    resolvers: differing,
    query: fields,
    data: { s: null },
  },
  {
    name: 'a list by a promise',
    sdl: `type Query { s: [U!] } ${union}`,
    resolvers: { ...differing, Query: { s: async () => both } },
    query: fields,
    data: { s: null },
  },
  {
    name: 'lists in lists',
    sdl: `type Query { s: [[U!]] } ${union}`,
    resolvers: { ...differing, Query: { s: () => [both, []] } },
    query: fields,
    data: { s: [null, []] },
  },
  {
    name: 'lists in lists that may not be null',
    sdl: `type Query { s: [[U!]!] } ${union}`,
    resolvers: { ...differing, Query: { s: () => [[both[0]], Promise.resolve(both)] } },
    query: fields,
    data: { s: null },
  },
  {
    name: 'a list of promises before another list',
    sdl: 'type Query { s: [[Int!]!] }',
    resolvers: { Query: { s: () => [[1], [noLater()], ['x']] } },
    query: '{ s }',
    data: { s: null },
  },
  {
    name: 'a set',
    sdl: `type Query { s: [U!] } ${union}`,
    resolvers: { ...differing, Query: { s: () => new Set(both) } },
    query: fields,
    data: { s: null },
  },
  {
    name: 'a row without a column',
    sdl: 'type Query { s: [A!] } type A { name: String! x: String! }',
    resolvers: { Query: { s: () => [{ name: 'a' }, {}] }, A: { x: noLater } },
    query: '{ s { name x } }',
    data: { s: null },
  },
  {
    name: 'methods of the items',
    sdl: 'type Query { s: [A!] } type A { x: String! }',
    resolvers: { Query: { s: () => [{ x: noLater }, { x: no }] } },
    query: '{ s { x } }',
    data: { s: null },
  },
  {
    name: 'items that are null behind a promise',
    sdl: 'type Query { s: [Int!] }',
    resolvers: { Query: { s: () => [noLater(), null] } },
    query: '{ s }',
    data: { s: null },
  },
  {
    name: 'a promise behind an item that is null',
    sdl: 'type Query { s: [Int!] }',
    resolvers: { Query: { s: () => [null, noLater()] } },
    query: '{ s }',
    data: { s: null },
  },
  {
    name: 'a wrong scalar behind a promise',
    sdl: 'type Query { s: [Int!] }',
    resolvers: { Query: { s: () => [noLater(), 'x'] } },
    query: '{ s }',
    data: { s: null },
  },
  {
    name: 'a promise within a nullable list within a list',
    sdl: 'type Query { s: [A!] } type A { n: [Int!]! b: Int! }',
    resolvers: {
      Query: {
        s: () => [
          { n: [noLater()], b: 1 },
          { n: [], b: 'x' },
        ],
      },
    },
    query: '{ s { n b } }',
    data: { s: null },
  },
  {
    name: 'a generator that throws behind a promise',
    sdl: 'type Query { s: [Int!] }',
    resolvers: {
      Query: {
        s: function* () {
          yield noLater()
          no()
        },
      },
    },
    query: '{ s }',
    data: { s: null },
  },
  {
    name: 'types that are found later',
    sdl: 'type Query { s: [I!] } interface I { x: Int } type A implements I { x: Int } type B implements I { x: Int! }',
    resolvers: {
      Query: { s: () => [{ late: true }, { x: 'x' }] },
      I: { __resolveType: ({ late }: { late?: boolean }) => (late ? noLater() : 'B') },
    },
    query: '{ s { x } }',
    data: { s: null },
  },
  {
    name: 'a thenable of one who runs listeners from a timer',
    sdl: 'type Query { s: Int }',
    resolvers: { Query: { s: () => fromTimer((ok) => ok('x')) } },
    query: '{ s }',
    data: { s: null },
  },
  {
    name: 'a thenable that gives a thenable',
    sdl: 'type Query { s: Int }',
    resolvers: { Query: { s: () => fromTimer((ok) => ok(fromTimer((own) => own(7)))) } },
    query: '{ s }',
    data: { s: 7 },
  },
  {
    name: 'such a thenable as an item',
    sdl: 'type Query { s: [Int] }',
    resolvers: { Query: { s: () => [fromTimer((ok) => ok('x')), 2] } },
    query: '{ s }',
    data: { s: [null, 2] },
  },
  {
    name: 'a promise before a hole',
    sdl: 'type Query { s: [Int!] }',
    resolvers: { Query: { s: () => Object.assign([noLater()], { length: 2 }) } },
    query: '{ s }',
    data: { s: null },
  },
  {
    name: 'a list with a promise before a hole',
    sdl: 'type Query { s: [[Int!]!] }',
    resolvers: { Query: { s: () => Object.assign([[noLater()]], { length: 2 }) } },
    query: '{ s }',
    data: { s: null },
  },
  {
    name: 'a list by a promise behind an item that is null',
    sdl: 'type Query { s: [[Int!]!] }',
    resolvers: { Query: { s: () => [Promise.resolve([noLater(), null]), null] } },
    query: '{ s }',
    data: { s: null },
  },
  {
    name: 'nothing that fails',
    sdl: `type Query { s: [U!]! } ${union}`,
    resolvers: { Query: { s: () => both }, A: { x: async () => 'x' }, B: { y: () => 'y' } },
    query: fields,
    data: { s: [{ x: 'x' }, { y: 'y' }] },
  },
]

const dropped: unknown[] = []
process.on('unhandledRejection', (reason) => dropped.push(reason))
process.on('uncaughtException', (reason) => dropped.push(reason))

for (const [major, graphql] of majors) {
  const handlerOf = (row: Row, options: Partial<Options> = {}) =>
    createHandler({
      graphql,
      schema: buildSchema(row.sdl, row.resolvers, { graphql }),
      onBug: () => undefined,
      ...options,
    })

  for (const row of rows) {
    void t.test(`${major}: no promise is left to reject: ${row.name}`, async (t) => {
      dropped.length = 0
      const response = await testClient(handlerOf(row))({ json: { query: row.query } })
      await pause(30)
      t.same((response.json() as { data: unknown }).data, row.data)
      t.same(dropped, [])
    })
  }

  void t.test(`${major}: nor when resolvers stop at the deadline`, async (t) => {
    dropped.length = 0
    const row: Row = {
      name: 'stopped',
      sdl: 'type Query { s: [A!]! } type A { x: String! name: String! }',
      resolvers: {
        Query: { s: async () => (await pause(40), [{ name: 'a' }, { name: 'b' }]) },
        A: {
          x: async (_: unknown, __: unknown, { signal }: OperationRequest) => {
            await pause(20, undefined, { signal })
            return 'x'
          },
        },
      },
      query: '{ s { x name } }',
      data: null,
    }
    const send = testClient(handlerOf(row, { executionTimeout: 20 }))
    t.equal((await send({ json: { query: row.query } })).status, 503)
    await pause(80)
    t.same(dropped, [])
  })

  void t.test(`${major}: lists of which nothing waits are completed at once`, async (t) => {
    const schema = buildSchema(
      'type Query { s: [A!]! n: [[Int!]!]! } type A { id: ID! x: String }',
      { Query: { s: () => [{ id: 1 }], n: () => [[1], new Set([2])] }, A: { x: () => 'x' } },
      { graphql },
    )
    const reply = createHandler({ graphql, schema })({
      method: 'GET',
      target: `/?query=${encodeURIComponent('{ s { id x } n }')}`,
      headers: [],
      raw: undefined,
    })
    t.match(reply, { status: 200, body: '{"data":{"s":[{"id":"1","x":"x"}],"n":[[1],[2]]}}' })
  })

  void t.test(`${major}: an executor of one's own gets lists as they are`, async (t) => {
    const schema = buildSchema(
      'type Query { s: [A!]! } type A { x: String }',
      { Query: { s: () => [{}, {}] }, A: { x: async () => 'x' } },
      { graphql },
    )
    const json = { query: '{ s { x } }' }
    await testClient(createHandler({ graphql, schema }))({ json })
    const given: unknown[] = []
    const execute: ExecuteFunction = (args) => {
      const { s: field } = args.schema.getQueryType()?.getFields() ?? {}
      const operation = args.document.definitions[0]
      const info = { operation, returnType: field?.type } as unknown as GraphQLResolveInfo
      given.push(...[field?.resolve?.({}, {}, {}, info)].flat())
      return { data: null }
    }
    await testClient(createHandler({ graphql, schema, execute }))({ json })
    t.same(given, [{}, {}])
  })
}
