import * as graphql from 'graphql'
import * as graphql16 from 'graphql-16'
import t from 'tap'
import { testClient } from '../../src/hosts/testing.js'
import {
  createHandler,
  type GraphQLModule,
  type LimitReport,
  type Options,
} from '../../src/index.js'

const sdl = `
  directive @cost(weight: String!) on FIELD_DEFINITION | ARGUMENT_DEFINITION
  directive @listSize(
    assumedSize: Int
    slicingArguments: [String!]
    sizedFields: [String!]
  ) on FIELD_DEFINITION
  scalar Any
  interface Named { name: String  friends(limit: Int): [Person] }
  type Person implements Named { name: String  friends(limit: Int): [Person]  tags: [String]  having(all: [String]): Int }
  type Idle { free: Int @cost(weight: "0") }
  type Robot implements Named { name: String  friends(limit: Int): [Person]  serial: Int }
  union Being = Person | Robot
  type Edge { node: Person }
  type Page { from: Int }
  type Connection { edges: [Edge!]!  nodes(first: Int): [Person]  page: Page  hits: [Person] }
  type Query {
    a: Int
    person: Person
    named: Named
    being: Being
    people(limit: Int): [Person!]!
    matrix: [[Person]]
    byDefault(first: Int = 3): [Person]
    ends(first: Int, last: Int): [Person]
    taken(take: Int, limit: Int): [Person]
    float(first: Float): [Person]
    text(first: String): [Person]
    any(first: Any): [Person]
    numbers(first: Int): [Int]
    idlers: [Idle]
    connection(first: Int, last: Int): Connection
    connectionByDefault(first: Int = 4): Connection
    assumed: [Person] @listSize(assumedSize: 50)
    assumedOr(first: Int): [Person] @listSize(assumedSize: 50)
    counted(count: Int, limit: Int): [Person] @listSize(slicingArguments: ["count"])
    countedAlone(count: Int): [Person] @listSize(slicingArguments: "count")
    sized(count: Int): Connection @listSize(slicingArguments: ["count"], sizedFields: ["hits", "page"])
    sizedAssumed: Connection @listSize(assumedSize: 7, sizedFields: ["hits"])
    pages(limit: Int): [Connection] @listSize(sizedFields: ["hits"])
    dear: Int @cost(weight: "5")
    dearPeople(limit: Int): [Person] @cost(weight: "5")
    free: Int @cost(weight: "0")
    half: Int @cost(weight: "0.5")
    negative: Int @cost(weight: "-5")
    noWeight: Int @cost(weight: "much")
    weighed(x: Int @cost(weight: "3"), y: Int = 1 @cost(weight: "4")): Int
  }
  type Mutation { rename: Person }
`

interface Row {
  readonly query: string
  readonly cost: number
  readonly variables?: object
  readonly options?: Partial<Options>
}

const huge = Number.MAX_SAFE_INTEGER
const rows: readonly (readonly [title: string, ...(readonly Row[])])[] = [
  ['each field is 1', { query: '{ a }', cost: 1 }, { query: '{ a person { name } }', cost: 3 }],
  ['a field counts as often as it is asked for', { query: '{ a b: a a }', cost: 3 }],
  ['mutations too', { query: 'mutation { rename { name } }', cost: 2 }],
  ['a list without arguments is 10 long', { query: '{ people { name } }', cost: 11 }],
  ['also a list of lists', { query: '{ matrix { name } }', cost: 11 }],
  ['a list of leaves is a field', { query: '{ person { tags } }', cost: 2 }],
  [
    'the example of the documentation',
    { query: '{ people(limit: 20) { name friends { name } } }', cost: 241 },
  ],
  [
    'products of products',
    {
      query: '{ people(limit: 3) { friends(limit: 4) { friends(limit: 5) { name } } } }',
      cost: 76,
    },
  ],
  [
    'literals',
    { query: '{ people(limit: 4) { name } }', cost: 5 },
    { query: '{ ends(last: 4) { name } }', cost: 5 },
  ],
  [
    'the largest of several sizes',
    { query: '{ ends(first: 2, last: 4) { name } }', cost: 5 },
    { query: '{ ends(first: 4, last: 2) { name } }', cost: 5 },
  ],
  ['a size of 0', { query: '{ people(limit: 0) { name friends { name } } }', cost: 1 }],
  [
    'variables',
    { query: 'query ($n: Int) { people(limit: $n) { name } }', variables: { n: 4 }, cost: 5 },
    { query: 'query ($n: Int) { people(limit: $n) { name } }', variables: { n: 0 }, cost: 1 },
    { query: 'query ($n: Int) { people(limit: $n) { name } }', variables: { n: null }, cost: 11 },
    { query: 'query ($n: Int) { people(limit: $n) { name } }', variables: {}, cost: 11 },
    { query: 'query ($n: Int) { people(limit: $n) { name } }', cost: 11 },
    { query: 'query ($toString: Int = 4) { people(limit: $toString) { name } }', cost: 5 },
    {
      query: 'query ($n: Int) { ...f } fragment f on Query { people(limit: $n) { name } }',
      variables: { n: 2 },
      cost: 3,
    },
  ],
  [
    'defaults of variables',
    { query: 'query ($n: Int = 4) { people(limit: $n) { name } }', cost: 5 },
    { query: 'query ($n: Int = 4) { people(limit: $n) { name } }', variables: { n: 2 }, cost: 3 },
    {
      query: 'query ($n: Int = 4) { people(limit: $n) { name } }',
      variables: { n: null },
      cost: 11,
    },
    { query: 'query ($n: Int = 4) { byDefault(first: $n) { name } }', cost: 5 },
    { query: 'query ($n: Int = null) { byDefault(first: $n) { name } }', cost: 11 },
  ],
  [
    'defaults of arguments',
    { query: '{ byDefault { name } }', cost: 4 },
    { query: '{ byDefault(first: 5) { name } }', cost: 6 },
    { query: 'query ($n: Int) { byDefault(first: $n) { name } }', cost: 4 },
    { query: 'query ($n: Int) { byDefault(first: $n) { name } }', variables: { n: 7 }, cost: 8 },
  ],
  [
    'what says nothing is 10, also where there is a default',
    { query: '{ people(limit: null) { name } }', cost: 11 },
    { query: '{ people(limit: -1) { name } }', cost: 11 },
    { query: '{ byDefault(first: null) { name } }', cost: 11 },
    { query: '{ byDefault(first: -1) { name } }', cost: 11 },
    {
      query: 'query ($n: Int) { byDefault(first: $n) { name } }',
      variables: { n: null },
      cost: 11,
    },
    { query: 'query ($n: Int) { byDefault(first: $n) { name } }', variables: { n: -1 }, cost: 11 },
    { query: '{ ends(first: -1, last: 2) { name } }', cost: 3 },
    { query: '{ ends(first: null, last: null) { name } }', cost: 11 },
  ],
  [
    'sizes of other types',
    { query: '{ float(first: 4) { name } }', cost: 5 },
    { query: '{ float(first: 2.5) { name } }', cost: 3.5 },
    { query: '{ float(first: 1e6) { name } }', cost: 1_000_001 },
    { query: 'query ($n: Float) { float(first: $n) { name } }', variables: { n: 2.5 }, cost: 3.5 },
    { query: '{ text(first: "4") { name } }', cost: 5 },
    { query: '{ text(first: "many") { name } }', cost: 11 },
    { query: '{ text(first: " ") { name } }', cost: 11 },
    { query: 'query ($n: String) { text(first: $n) { name } }', variables: { n: '4' }, cost: 5 },
    { query: '{ any(first: { n: 4 }) { name } }', cost: 12 },
    { query: 'query ($n: Any) { any(first: $n) { name } }', variables: { n: [4] }, cost: 11 },
    { query: 'query ($n: Any) { any(first: $n) { name } }', variables: { n: true }, cost: 11 },
  ],
  [
    'huge sizes',
    { query: '{ people(limit: 2147483647) { name } }', cost: 2 ** 31 },
    { query: `{ any(first: ${'9'.repeat(400)}) { free: name } }`, cost: huge + 1 },
    {
      query: 'query ($n: Any) { any(first: $n) { name } }',
      variables: { n: 1e308 },
      cost: huge + 1,
    },
  ],
  [
    'a connection passes its size on to the lists directly below',
    { query: '{ connection(first: 5) { edges { node { name } } } }', cost: 12 },
    { query: '{ connection(last: 5) { edges { node { friends { name } } } } }', cost: 62 },
    {
      query: '{ connection(first: 2, last: 5) { edges { node { name } } page { from } } }',
      cost: 14,
    },
    { query: '{ connection { edges { node { name } } } }', cost: 22 },
    { query: '{ connectionByDefault { edges { node { name } } } }', cost: 10 },
    {
      query: 'query ($n: Int) { connection(first: $n) { edges { node { name } } } }',
      variables: { n: 2 },
      cost: 6,
    },
    { query: '{ connection(first: 0) { edges { node { name } } } }', cost: 2 },
    { query: '{ connection(first: 2) { edges { node { name } } hits { name } } }', cost: 9 },
    { query: '{ connection(first: 5) { nodes(first: 2) { name } } }', cost: 4 },
    { query: '{ connection(first: 5) { nodes { name } } }', cost: 12 },
  ],
  [
    'also through fragments, each by its place',
    { query: '{ connection(first: 5) { ... { edges { node { name } } } } }', cost: 12 },
    {
      query:
        '{ connection(first: 5) { ... on Connection { ...f } } } fragment f on Connection { edges { node { name } } }',
      cost: 12,
    },
    {
      query:
        '{ x: connection(first: 2) { ...f } y: connection(first: 3) { ...f } sized { ...f } } fragment f on Connection { hits { name } }',
      cost: 4 + 5 + 12,
    },
    {
      query:
        '{ x: connection(first: 3) { ...f } sized(count: 3) { ...f } } fragment f on Connection { edges { node { name } } }',
      cost: 8 + 22,
    },
  ],
  [
    'costListSize',
    { query: '{ people { name } }', options: { costListSize: 3 }, cost: 4 },
    { query: '{ people { name } }', options: { costListSize: 0 }, cost: 1 },
    { query: '{ people { name } }', options: { costListSize: Infinity }, cost: Infinity },
    { query: '{ idlers { free } }', options: { costListSize: Infinity }, cost: 1 },
    {
      query: '{ people(limit: 0) { friends { name } } }',
      options: { costListSize: Infinity },
      cost: 1,
    },
    { query: '{ people(limit: 2) { name } }', options: { costListSize: 3 }, cost: 3 },
    { query: '{ assumed { name } }', options: { costListSize: 3 }, cost: 51 },
  ],
  [
    'costMaxListSize',
    { query: '{ people(limit: 1000000) { name } }', options: { costMaxListSize: 100 }, cost: 101 },
    { query: '{ people(limit: 99) { name } }', options: { costMaxListSize: 100 }, cost: 100 },
    { query: '{ assumed { name } }', options: { costMaxListSize: 5 }, cost: 6 },
    { query: '{ people { name } }', options: { costMaxListSize: 5 }, cost: 6 },
  ],
  [
    'costSizeArguments',
    { query: '{ taken(take: 4) { name } }', cost: 11 },
    {
      query: '{ taken(take: 4, limit: 2) { name } }',
      options: { costSizeArguments: ['take'] },
      cost: 5,
    },
    { query: '{ people(limit: 4) { name } }', options: { costSizeArguments: [] }, cost: 11 },
    { query: '{ counted(count: 4) { name } }', options: { costSizeArguments: ['take'] }, cost: 5 },
  ],
  [
    '@listSize(assumedSize)',
    { query: '{ assumed { name } }', cost: 51 },
    { query: '{ assumedOr { name } }', cost: 51 },
    { query: '{ assumedOr(first: 2) { name } }', cost: 3 },
    { query: '{ assumedOr(first: null) { name } }', cost: 51 },
  ],
  [
    '@listSize(slicingArguments)',
    { query: '{ counted(count: 2) { name } }', cost: 3 },
    { query: '{ counted(limit: 2) { name } }', cost: 11 },
    { query: '{ counted(count: 4, limit: 2) { name } }', cost: 5 },
    { query: '{ countedAlone(count: 2) { name } }', cost: 3 },
  ],
  [
    '@listSize(sizedFields)',
    { query: '{ sized(count: 3) { hits { name } } }', cost: 5 },
    { query: '{ sized(count: 3) { page { from } } }', cost: 5 },
    { query: '{ sized(count: 3) { edges { node { name } } } }', cost: 22 },
    {
      query: '{ sized(count: 3) { ... { ...f } } } fragment f on Connection { hits { name } }',
      cost: 5,
    },
    { query: '{ sized { hits { name } } }', cost: 12 },
    { query: '{ sizedAssumed { hits { name } } }', cost: 9 },
    { query: '{ pages(limit: 3) { hits { name } page { from } } }', cost: 7 },
  ],
  [
    '@cost of fields',
    { query: '{ dear }', cost: 5 },
    { query: '{ free }', cost: 0 },
    { query: '{ half }', cost: 0.5 },
    { query: '{ negative }', cost: 1 },
    { query: '{ noWeight }', cost: 1 },
    { query: '{ dearPeople(limit: 3) { name } }', cost: 8 },
  ],
  [
    '@cost of arguments that are given',
    { query: '{ weighed }', cost: 1 },
    { query: '{ weighed(x: 1) }', cost: 4 },
    { query: '{ weighed(x: null, y: 2) }', cost: 8 },
    { query: 'query ($x: Int) { weighed(x: $x) }', cost: 4 },
  ],
  [
    'fragments on several types are added',
    { query: '{ being { ... on Person { name } ... on Robot { name serial } } }', cost: 4 },
    {
      query: '{ named { name ... on Robot { serial } ... on Named { friends { name } } } }',
      cost: 14,
    },
  ],
  [
    '@skip and @include are taken to include',
    { query: '{ a @skip(if: true) b: a @include(if: false) }', cost: 2 },
    { query: '{ ... @include(if: false) { people { name } } }', cost: 11 },
  ],
  [
    '__typename is a field like others, and introspection is free',
    { query: '{ __typename person { __typename name } }', cost: 4 },
    {
      query: '{ __schema { types { name fields { name } } } __type(name: "A") { name } }',
      cost: 0,
    },
    { query: '{ people(limit: 5) { __typename } }', cost: 6 },
  ],
  [
    'a list of scalars counts the size that an argument asks for',
    { query: '{ numbers(first: 50) }', cost: 51 },
    { query: '{ numbers }', cost: 11 },
    { query: '{ person { tags } }', cost: 2 },
  ],
  [
    'values within a literal are coerced anew for each item of a list',
    { query: '{ people(limit: 3) { having(all: ["a", "b"]) } }', cost: 10 },
    { query: '{ people(limit: 3) { having(all: "a") } }', cost: 4 },
    { query: '{ any(first: { n: [1, 2, 3] }) { name } }', cost: 15 },
  ],
]

const modules: readonly (readonly [title: string, options: Pick<Options, 'schema' | 'graphql'>])[] =
  [
    ['graphql 17', { schema: graphql.buildSchema(sdl) }],
    [
      'graphql 16',
      {
        schema: graphql16.buildSchema(sdl) as never,
        graphql: graphql16 as unknown as GraphQLModule,
      },
    ],
  ]

/** What `admit` sees; nothing is executed. */
async function costOf({ query, variables, options }: Omit<Row, 'cost'>, base: Options) {
  let seen: number | undefined
  const send = testClient(
    createHandler({
      ...base,
      ...options,
      maxCost: Infinity,
      maxDefinitions: Infinity,
      admit: ({ cost }) => {
        seen = cost
        return { kind: 'forbidden' }
      },
    }),
  )
  const costs: unknown[] = []
  for (let round = 0; round < 2; round++) {
    const response = await send({ json: { query, variables } })
    if (response.status !== 403) return response.body
    costs.push(seen)
  }
  return costs
}

for (const [module, base] of modules) {
  for (const [title, ...costs] of rows) {
    void t.test(`${title} (${module})`, async (t) => {
      for (const row of costs) {
        const { query, variables, options, cost } = row
        const name = [query, variables, options].filter(Boolean).map((one) => JSON.stringify(one))
        t.strictSame(await costOf(row, base), [cost, cost], name.join(' '))
      }
    })
  }

  void t.test(`spreads within spreads are counted once for each size (${module})`, async (t) => {
    const levels = Array.from({ length: 60 }, (_, at) => at)
    const fragments = levels.map(
      (at) =>
        `fragment f${at} on Connection { ${at === 0 ? 'edges { node { name } }' : `...f${at - 1} ...f${at - 1}`} }`,
    )
    const query = `{ x: connection(first: 5) { ...f59 } y: connection(first: 6) { ...f59 } } ${fragments.join(' ')}`
    // Exact, since only powers of two are multiplied, and the two ones are lost in them.
    const cost = 2 ** 59 * (11 + 13)
    t.strictSame(await costOf({ query }, base), [cost, cost])
  })

  void t.test(
    `maxCost refuses what a request may cost, with the figures (${module})`,
    async (t) => {
      const send = testClient(createHandler({ ...base, maxCost: 10, rootValue: { people: [] } }))
      const query = 'query ($n: Int) { people(limit: $n) { name } }'
      for (const [n, status] of [
        [9, 200],
        [10, 422],
        [9, 200],
      ]) {
        const response = await send({ json: { query, variables: { n } } })
        t.equal(response.status, status)
        if (status === 200) continue
        const message = 'The document costs 11, more than the limit of 10.'
        const extensions = {
          code: 'DOCUMENT_LIMIT_EXCEEDED',
          limit: 'maxCost',
          allowed: 10,
          found: 11,
        }
        t.strictSame(response.json(), { errors: [{ message, extensions }] })
      }
    },
  )

  void t.test(`an endless cost is refused with a number (${module})`, async (t) => {
    const send = testClient(createHandler({ ...base, costListSize: Infinity }))
    const response = await send({ json: { query: '{ people { name } }' } })
    t.match(response.json(), { errors: [{ extensions: { found: huge } }] })
  })

  void t.test(`faults of variables are told before a cost (${module})`, async (t) => {
    let asked = 0
    const admit = () => void asked++
    const send = testClient(createHandler({ ...base, maxCost: 10, admit }))
    const query = 'query ($n: Int, $x: Int!) { people(limit: $n) { name } weighed(x: $x) }'
    for (const [variables, code] of [
      [{ n: 1000 }, 'BAD_USER_INPUT'],
      [{ n: 1e12, x: 1 }, 'BAD_USER_INPUT'],
      [{ n: 1000, x: 1 }, 'DOCUMENT_LIMIT_EXCEEDED'],
    ] as const) {
      const response = await send({ json: { query, variables } })
      t.equal(response.status, 422)
      t.match(response.json(), { errors: [{ extensions: { code } }] }, JSON.stringify(variables))
      t.notMatch(response.body, '"data"')
    }
    t.equal(asked, 0)
  })

  void t.test(`reportOnly reports the cost of each request (${module})`, async (t) => {
    const reports: LimitReport[] = []
    const send = testClient(
      createHandler({
        ...base,
        rootValue: { people: [] },
        maxCost: 10,
        reportOnly: ['maxCost'],
        onLimit: (report) => reports.push(report),
      }),
    )
    const query = 'query ($n: Int) { people(limit: $n) { name } }'
    for (const n of [10, 9, 20, 20]) {
      t.equal((await send({ json: { query, variables: { n } } })).status, 200)
    }
    const report = { limit: 'maxCost', allowed: 10, document: query }
    t.same(
      reports,
      [11, 21, 21].map((found) => ({ ...report, found })),
    )
  })
}

void t.test('schemas made by code say their defaults too', async (t) => {
  const list = (module: typeof graphql, argument: object): Options => {
    const item = new module.GraphQLObjectType({
      name: 'Item',
      fields: { name: { type: module.GraphQLString } },
    })
    const items = {
      type: new module.GraphQLList(item),
      args: { first: { type: module.GraphQLInt, ...argument } },
    }
    const query = new module.GraphQLObjectType({ name: 'Query', fields: { items } })
    return { schema: new module.GraphQLSchema({ query }), graphql: module }
  }
  const old = graphql16 as unknown as typeof graphql
  const literal = { kind: graphql.Kind.INT, value: '3' }
  for (const [title, options, cost] of [
    ['17, a value of before', list(graphql, { defaultValue: 3 }), 4],
    ['17, a value', list(graphql, { default: { value: 3 } }), 4],
    ['17, a literal', list(graphql, { default: { literal } }), 4],
    ['17, null', list(graphql, { default: { value: null } }), 11],
    ['17, none', list(graphql, {}), 11],
    ['16, a value', list(old, { defaultValue: 3 }), 4],
    ['16, null', list(old, { defaultValue: null }), 11],
    ['16, none', list(old, {}), 11],
  ] as const) {
    // A run on graphql 16 alone has nobody who knows `default`.
    if (graphql.versionInfo.major < 17 && title.startsWith('17')) continue
    t.strictSame(await costOf({ query: '{ items { name } }' }, options), [cost, cost], title)
  }
})
