import { Ajv2020 } from 'ajv/dist/2020.js'
import * as graphql from 'graphql'
import * as graphql16 from 'graphql-16'
import t from 'tap'
import type { GraphQLModule } from 'graphwire'
import { createApiDescription } from '@graphwire/rest'
import type { Route } from '@graphwire/rest'

const types = `
  "Where it is." scalar Place
  scalar Even
  enum Color { RED GREEN @deprecated(reason: "Out of fashion.") }
  input AddressInput { street: String  city: String! = "Berlin" }
  input PersonInput {
    "1 to 200 characters." name: String!
    age: Int = 30
    colors: [Color!]! = RED
    address: AddressInput = { street: "Main St" }
    friend: PersonInput
    old: ID @deprecated(reason: "Use friend.")
  }
  input Choice @oneOf { id: ID  name: String }
  interface Named { name: String! }
  type Person implements Named {
    id: ID!  name: String!  age: Int  height: Float  alive: Boolean  color: Color  place: Place  even: Even!
    friends: [Person!]!  grid: [[Int]]  version: Int!  old: Int @deprecated
  }
  type Robot implements Named { name: String!  serial: Int! }
  union Being = Person | Robot
  "Of types to come." interface Empty { name: String!  id: ID  next: Empty }
`
const scalars = { Even: { type: 'integer', multipleOf: 2 } }

/** Both majors of graphql, which make schemas from the same source. */
const modules = [
  { major: 17, module: graphql, buildSchema: graphql.buildSchema },
  {
    major: 16,
    module: graphql16 as unknown as GraphQLModule,
    buildSchema: graphql16.buildSchema as unknown as typeof graphql.buildSchema,
  },
]

/** Data of which nothing is known but that it is JSON. */
type Json = { readonly [name: string]: Json } & readonly Json[]

function describe({ module, buildSchema }: (typeof modules)[number], sdl: string, route: Route) {
  const schema = buildSchema(types + sdl)
  const info = { title: 'Types', version: '1' }
  return createApiDescription({
    schema,
    routes: [route],
    info,
    scalars,
    graphql: module,
  }) as Json
}

/** Whether a schema of the document finds a value right. */
function validator(document: Json, schema: unknown) {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    formats: { int32: true, 'uri-reference': true },
  })
  ajv.addVocabulary(['components'])
  return ajv.compile({ ...(schema as object), components: document['components'] })
}

// oxfmt-ignore
const inputRows: [type: string, right: readonly unknown[], wrong: readonly unknown[]][] = [
  ['Int',      [0, -2147483648, 2147483647, null], [1.5, 2147483648, -2147483649, '1', true]],
  ['Int!',     [7],                                [null]],
  ['Float',    [0.5, 3, null],                     ['0.5', false]],
  ['String',   ['', null],                         [1, {}]],
  ['Boolean!', [true, false],                      [null, 'true']],
  ['ID!',      ['1'],                              [null, {}]],
  ['Color',    ['RED', 'GREEN', null],             ['BLUE', 1]],
  ['Color!',   ['RED'],                            [null]],
  ['[Int]',    [[], [1, null], null],              [['1'], 1]],
  ['[Int!]!',  [[1]],                              [[null], null]],
  ['[[Int!]]', [[[1], null]],                      [[1], [[null]]]],
  ['Place',    ['anything', 1, { x: 1 }, null],    []],
  ['Even',     [2, null],                          [3, 'two']],
  [
    'PersonInput',
    [
      { name: 'Ada' },
      { name: 'Ada', age: null, colors: ['RED'], address: { street: null }, friend: null },
      { name: 'Ada', friend: { name: 'Bob', friend: { name: 'Cleo' } } },
      null,
    ],
    [
      {},
      { name: null },
      { name: 'Ada', colors: null },
      { name: 'Ada', unknown: 1 },
      { name: 'Ada', address: { city: null } },
      { name: 'Ada', friend: { name: 'Bob', friend: {} } },
    ],
  ],
  ['Choice!',  [{ id: '1' }, { name: 'Ada' }],     [{}, { id: '1', name: 'Ada' }, { id: null }, null]],
]

// oxfmt-ignore
const outputRows: [selection: string, right: readonly unknown[], wrong: readonly unknown[]][] = [
  ['person { id age height alive }', [{ id: '1', age: 3, height: 0.5, alive: null }], [null, { id: '1' }, { id: null, age: 3, height: 1, alive: true }]],
  ['person { id version }',                                        [{ id: '1' }],                                 [{}]],
  ['person { friends { version } }',                               [{ friends: [{ version: 1 }] }],               [{ friends: [{}] }]],
  ['person { who: name }',                                         [{ who: 'Ada' }],                              [{ name: 'Ada' }]],
  ['person { color place even }',                                  [{ color: 'RED', place: 1, even: 2 }],         [{ color: 1, place: 1, even: 3 }]],
  ['person { grid }',                                              [{ grid: [[1, null], null] }, { grid: null }], [{ grid: [1] }]],
  ['person { ...Parts } ',                                         [{ name: 'Ada', age: 1 }],                     [{ name: 'Ada' }]],
  ['person { friends { id } friends { name } }',                   [{ friends: [{ id: '1', name: 'A' }] }],       [{ friends: [{ id: '1' }] }]],
  ['person { id @include(if: $if) name }',                         [{ name: 'Ada' }, { id: '1', name: 'Ada' }],   [{ id: 1, name: 'Ada' }]],
  ['person { id @skip(if: true) ... @skip(if: $if) { name } }', [{}, { name: 'Ada' }, { id: 'not described' }, { id: 5 }], [{ name: 1 }]],
  ['person { id @include(if: true) }',                             [{ id: '1' }],                                 [{}]],
  ['person { friends { id } friends @include(if: $if) { name } }', [{ friends: [{ id: '1' }] }],                  [{ friends: [{ name: 'A' }] }]],
  [
    'being { __typename ... on Robot { serial } ... on Named { name } }',
    [{ __typename: 'Robot', serial: 1, name: 'R' }, { __typename: 'Person', name: 'Ada' }],
    [{ __typename: 'Robot', name: 'R' }, { __typename: 'Dog', name: 'Rex' }, { __typename: 'Person' }],
  ],
  ['being { ... on Being { ... on Person { id } } ... on Robot { serial } }', [{ id: '1' }, { serial: 1 }],                                  [{ id: 1 }, {}]],
  ['named { name }',                                                          [{ name: 'Ada' }],                                             [{ name: null }]],
  ['named { ... on Person { friends { id } } ... on Robot { serial } }', [{ serial: 3 }, { friends: [] }], [{ friends: [{}] }]],
  ['empty { name next { id } }',                                              [{ name: 'x', next: null }, { name: 'x', next: { id: '1' } }], [{}]],
  ['empty { __typename ... on Empty { id } }',                                [{ __typename: 'Later', id: '1' }],                            [{ id: '1' }]],
  ['count',                                                                   [3],                                                           [null, '3']],
  ['beings { ... on Person { id } ... on Robot { serial } }',                 [[null, { id: '1' }], []],                                     [[{}], null]],
]

for (const of of modules) {
  for (const [type, right, wrong] of inputRows) {
    void t.test(`graphql ${of.major}: a body member of type ${type}`, async (t) => {
      const document = describe(
        of,
        `type Query { a: Int } type Mutation { take(value: ${type}): Int }`,
        {
          method: 'POST',
          path: '/take',
          operation: `mutation Take($value: ${type}) { take(value: $value) }`,
        },
      )
      const body = document['paths']?.['/take']?.['post']?.['requestBody']?.['content']
      const isRight = validator(document, body?.['application/json']?.['schema'])
      for (const value of right)
        t.ok(isRight({ value }), JSON.stringify({ value, wrong: isRight.errors }))
      for (const value of wrong) t.notOk(isRight({ value }), JSON.stringify(value))
      t.equal(isRight({}), !type.endsWith('!'), 'absent')
      t.notOk(isRight({ value: right[0], more: 1 }), 'a member that nothing takes')
    })
  }
  for (const [selection, right, wrong] of outputRows) {
    void t.test(`graphql ${of.major}: the answer of ${selection}`, async (t) => {
      const sdl =
        'type Query { person: Person  being: Being  named: Named!  count: Int  beings: [Being]  empty: Empty }'
      const document = describe(of, sdl, {
        method: 'GET',
        path: '/one',
        ...(selection.includes('{ id version }') && { version: 'version' }),
        operation: `query One${selection.includes('$if') ? '($if: Boolean!)' : ''} { ${selection} }
          ${selection.includes('...Parts') ? 'fragment Parts on Named { name ... on Person { age } }' : ''}`,
      })
      const answer = document['paths']?.['/one']?.['get']?.['responses']?.['200']
      const isRight = validator(document, answer?.['content']?.['application/json']?.['schema'])
      for (const value of right)
        t.ok(isRight(value), JSON.stringify({ value, wrong: isRight.errors }))
      for (const value of wrong) t.notOk(isRight(value), JSON.stringify(value))
    })
  }
  void t.test(
    `graphql ${of.major}: a body with one of its members, beside that of the path`,
    (t) => {
      const sdl = 'type Query { a: Int } type Mutation { put(at: ID!, value: Choice!): Int }'
      const document = describe(of, sdl, {
        method: 'PUT',
        path: '/choice/{at}',
        body: 'value',
        operation: 'mutation Put($at: ID!, $value: Choice!) { put(at: $at, value: $value) }',
      })
      const body = document['paths']?.['/choice/{at}']?.['put']?.['requestBody']?.['content']
      const isRight = validator(document, body?.['application/json']?.['schema'])
      for (const value of [{ id: '1' }, { at: '7', name: 'Ada' }]) t.ok(isRight(value))
      for (const value of [{}, { at: '7' }, { id: '1', name: 'Ada' }]) t.notOk(isRight(value))
      t.end()
    },
  )
  void t.test(`graphql ${of.major}: words and default values of input fields`, async (t) => {
    const document = describe(
      of,
      'type Query { a: Int } type Mutation { take(value: PersonInput): Int }',
      {
        method: 'POST',
        path: '/take',
        body: 'value',
        operation: 'mutation Take($value: PersonInput!) { take(value: $value) }',
      },
    )
    const schemas = document['components']?.['schemas']
    const { name, age, colors, address, old } = (schemas?.['PersonInput']?.['properties'] ??
      {}) as Json
    t.equal(name?.['description'], '1 to 200 characters.')
    t.equal(age?.['default'], 30)
    t.strictSame(colors?.['default'], ['RED'], 'a single value stands for a list')
    t.strictSame(address?.['default'], { street: 'Main St' })
    t.match(old, { deprecated: true, description: 'Deprecated: Use friend.' })
    t.strictSame(Object.keys(schemas ?? {}), ['AddressInput', 'Color', 'PersonInput', 'Problem'])
  })
}

void t.test('default values of schemas that are made by code', async (t) => {
  const shared = { RED: { value: 1 }, BLUE: { value: 2 } }
  const documents = [
    defaultsOf(graphql, shared, (internal) => ({ defaultValue: internal })),
    defaultsOf(graphql16, shared, (internal) => ({ defaultValue: internal })),
  ]
  // Where the tests run on graphql 16, that is what `graphql` means, and it knows no `default`.
  if ('validateInputValue' in graphql) {
    const byExternal = (_: unknown, external: unknown) => ({ default: { value: external } })
    documents.push(defaultsOf(graphql, shared, byExternal))
  }
  for (const [at, properties] of documents.entries()) {
    t.equal(properties['color']?.['default'], 'BLUE', `${at}: an enum by its name`)
    t.strictSame(properties['colors']?.['default'], ['RED', 'BLUE'], `${at}: a list`)
    t.strictSame(properties['inner']?.['default'], { color: 'RED' }, `${at}: an object`)
    t.equal(properties['none']?.['default'], null, `${at}: null`)
    t.notOk('default' in (properties['absent'] ?? {}), `${at}: none`)
  }
})

/** The members of an input type with default values, as the makers of a major of graphql take them. */
function defaultsOf(
  maker: object,
  values: { readonly [name: string]: { readonly value: number } },
  byDefault: (internal: unknown, external: unknown) => object,
): { readonly [name: string]: Json } {
  const make = maker as unknown as typeof graphql
  const type = new make.GraphQLEnumType({ name: 'Color', values })
  const inner = new make.GraphQLInputObjectType({ name: 'Inner', fields: { color: { type } } })
  const input = new make.GraphQLInputObjectType({
    name: 'Input',
    fields: {
      color: { type, ...byDefault(2, 'BLUE') },
      colors: { type: new make.GraphQLList(type), ...byDefault([1, 2], ['RED', 'BLUE']) },
      inner: { type: inner, ...byDefault({ color: 1 }, { color: 'RED' }) },
      none: { type, ...byDefault(null, null) },
      absent: { type },
    },
  })
  const take = { type: make.GraphQLInt, args: { input: { type: input } } }
  const schema = new make.GraphQLSchema({
    query: new make.GraphQLObjectType({ name: 'Query', fields: { a: { type: make.GraphQLInt } } }),
    mutation: new make.GraphQLObjectType({ name: 'Mutation', fields: { take } }),
  })
  const document = createApiDescription({
    schema,
    graphql: maker as GraphQLModule,
    info: { title: 'Defaults', version: '1' },
    routes: [
      {
        method: 'POST',
        path: '/take',
        body: 'input',
        operation: 'mutation Take($input: Input!) { take(input: $input) }',
      },
    ],
  }) as Json
  return document['components']?.['schemas']?.['Input']?.['properties'] as Json
}
