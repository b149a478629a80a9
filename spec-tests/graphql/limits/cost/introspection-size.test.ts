import type { JsonObject } from '../../../../src/base/json.js'
import t from 'tap'
import { CostCounter } from '../../../../src/graphql/limits/cost/cost.js'
import { fragmentsOf } from '../../../../src/graphql/js/fragments.js'
import type { Options } from '../../../../src/index.js'
import { clientOf } from '../../../handler/client-of.js'
import { everything, majors } from '../../majors.js'

const attacks = new URL('../../../../../spec-tests/exhaustive/attacks/', import.meta.url)
const large = new URL('large-schemas.mjs', attacks)
const { largeTypes } = (await import(large.href)) as { largeTypes: (wish: string) => string }

const hundred = 'x'.repeat(100)

const sdl = `
  "${hundred}" type Person {
    name(case: Case, length: [Int!]! = [1, 2]): String!
    old: Int @deprecated(reason: "It is old.")
    query: Query
    friends: [Person]
  }
  enum Case { UPPER LOWER OTHER @deprecated }
  interface Named { name: String }
  type Cat implements Named { name: String }
  type Dog implements Named { name: String }
  union Pet = Cat | Dog
  input Filter { "${hundred}${hundred}" name: String case: Case = LOWER }
  type Query { person(filter: Filter): Person people(first: Int): [Person] pet: Pet named: Named query: Query }
`

type Row = readonly [size: number, query: string, variables?: JsonObject, most?: number]

const unlimited = Number.MAX_SAFE_INTEGER

const person = (selected: string): string => `{ __type(name: "Person") { ${selected} } }`
const filter = (selected: string): string => `{ __type(name: "Filter") { ${selected} } }`

// oxfmt-ignore
const rows: readonly (readonly [title: string, ...(readonly Row[])])[] = [
  [
    'each field is 1, and a type that is not there has nothing',
    [0, '{ person { name } __typename }'],
    [2, '{ __schema { __typename } }'],
    [4, '{ __schema { queryType { name kind } } }'],
    [4, person('name again: name ... { name }')],
    [1, '{ __type(name: "No") { name } }'],
  ],
  [
    'the items of a list are 1 each, and their fields too',
    [2 + 4 * 2,         person('fields { name }')],
    [2 + 4 * 2 + 2 * 2, person('fields { args { name } }')],
    [2 + 3 * 2,         '{ __type(name: "Case") { enumValues { name } } }'],
    [2 + 2 * 2,         '{ __type(name: "Pet") { possibleTypes { name } } }'],
    [2 + 2 * 2,         '{ __type(name: "Named") { possibleTypes { name } } }'],
    [2 + 2,             '{ __type(name: "Cat") { interfaces { name } } }'],
    [2 + 2 * 2,         filter('inputFields { name }')],
    [3,                 person('inputFields { name } enumValues { name }')],
  ],
  [
    'lists that arguments lead to, again for each of them',
    [14 + 2 + 3 * 2,          person('fields { args { type { enumValues { name } } } }')],
    [2 + 4 * 3 + 2 * (2 * 2), person('fields { a: args { name } b: args { name } }')],
  ],
  [
    'types within types',
    [2 + 4 * 3 + 2,     person('fields { type { ofType { name } } }')],
    [2 + 4 * 3 + 5 * 2, person('fields { type { fields { name } } }')],
    [19,                person('fields { args { type { ofType { ofType { ofType { name } } } } } }')],
  ],
  [
    'what is deprecated or may be skipped is counted',
    [10, person('fields(includeDeprecated: true) { name }')],
    [10, person('fields(includeDeprecated: false) { name }')],
    [11, person('fields @skip(if: true) { name } ... @include(if: false) { name }')],
  ],
  [
    '100 characters of text are 1',
    [3,             person('description')],
    [5,             person('a: description b: description')],
    [2 + 2 * 2 + 2, filter('inputFields { description }')],
  ],
  [
    '5 characters of a default value are 1, since it is printed each time',
    [2 + 2 * 2 + 1, filter('inputFields { defaultValue }')],
    [2 + 2 * 3 + 2, filter('inputFields { a: defaultValue b: defaultValue }')],
  ],
  [
    'fragments wherever they are spread',
    [1 + 1 + (1 + 4 * 2) + 4, `${person('...F fields { type { ...F } }')} fragment F on __Type { name }`],
    [2 * 4, '{ ...S ...S } fragment S on Query { __schema { queryType { ...T ...T } } } fragment T on __Type { name }'],
  ],
  [
    'a type named by a variable',
    [10, 'query ($n: String!) { __type(name: $n) { fields { name } } }', { n: 'Person' }],
    [4,  'query ($n: String!) { __type(name: $n) { fields { name } } }', { n: 'Cat' }],
    [10, 'query ($n: String! = "Person") { __type(name: $n) { fields { name } } }'],
    [1,  'query ($n: String! = "No") { __type(name: $n) { fields { name } } }'],
  ],
  [
    'beyond the limit no further type is looked at',
    [10 + 6 + 6, `{ ${['a', 'b', 'c'].map((name) => `${name}: __type(name: "Person") { fields { name } }`).join(' ')} }`, {}, 5],
  ],
  [
    'within a list it has no limit',
    [2,    '{ query { __type(name: "Person") { name } } }'],
    [unlimited, '{ people(first: 1) { query { __type(name: "Person") { name } } } }'],
    [unlimited, '{ people { ...P } } fragment P on Person { query { __schema { __typename } } }'],
    [unlimited, '{ people { friends { query { __schema { __typename } } } } }'],
  ],
]

const settings = { costSizeArguments: ['first'], costListSize: 10, costMaxListSize: Infinity }

for (const [major, module] of majors) {
  const schema = module.buildSchema(sdl)
  const base: Options = { schema, graphql: module }

  /** The size of an operation, counted again by a counter that knows it. */
  const sizesOf = (query: string, variables: JsonObject = {}, most = 1e6): number[] => {
    const document = module.parse(query)
    const definition = document.definitions.find((one) => one.kind === 'OperationDefinition')
    t.strictSame(module.validate(schema, document), [], query)
    const counter = new CostCounter(settings, most)
    const input = { schema, fragments: fragmentsOf(document), definition: definition!, variables }
    return [1, 2].map(() => counter.count(input).introspectionSize)
  }

  for (const [title, ...sizes] of rows) {
    void t.test(`introspection: ${title} (${major})`, async (t) => {
      for (const [size, ...row] of sizes) t.strictSame(sizesOf(...row), [size, size], row[0])
    })
  }

  void t.test(`the size of a query is that of its answer (${major})`, async (t) => {
    for (const query of [
      module.getIntrospectionQuery({ ...everything }),
      '{ __schema { types { enumValues(includeDeprecated: true) { name isDeprecated } } } }',
      '{ __schema { directives { name locations args { type { fields { name } } } } } }',
      '{ __schema { types { interfaces { possibleTypes { name } } } } }',
    ]) {
      const { data } = module.graphqlSync({ schema, source: query })
      const { parts, text } = partsOf(data)
      const [size = 0] = sizesOf(query)
      t.ok(size >= parts, `${size} for ${parts} fields and items`)
      t.ok(size <= parts + text / 5, `${size} for ${parts} and ${text} characters`)
    }
  })

  void t.test(`the standard query passes on a schema of 2,000 types (${major})`, async (t) => {
    const source = `interface Node { id: ID! } type Query { node: Node } ${largeTypes('realistic 2000')}`
    const { ask } = clientOf({ ...base, schema: module.buildSchema(source) })
    t.equal((await ask(module.getIntrospectionQuery({ ...everything }))).status, 200)
  })

  void t.test(`counting ends where the limit does (${major})`, async (t) => {
    const query = '{ __schema { types { fields { name } } queryType { name } } }'
    const [all = 0, some = 0] = [sizesOf(query)[0], sizesOf(query, {}, 20)[0]]
    t.ok(some > 20 && some < all, `${some} of ${all}`)
    t.strictSame(sizesOf(query, {}, Infinity), [1, 1], 'without a limit nothing is counted')
  })

  void t.test(`default values are printed no further than the limit (${major})`, async (t) => {
    let printed = 0
    const print = (value: unknown): unknown => ((printed += 1), value)
    // By name on graphql 16, by the method of the same meaning on 17.
    const type = new module.GraphQLScalarType({
      name: 'Long',
      serialize: print,
      coerceOutputValue: print,
      valueToLiteral: (value) => ({ kind: module.Kind.STRING, value: String(print(value)) }),
    })
    const defaults = names(1000).map((name) => [name, { type, defaultValue: hundred }] as const)
    const a = { type: module.GraphQLInt, args: Object.fromEntries(defaults) }
    const query = new module.GraphQLObjectType({ name: 'Query', fields: { a } })
    const made = new module.GraphQLSchema({ query })
    const { ask } = clientOf({ graphql: module, schema: made, maxIntrospectionSize: 3000 })
    const response = await ask('{ __type(name: "Query") { fields { args { defaultValue } } } }')
    t.equal(response.status, 422)
    t.match(response.body, 'maxIntrospectionSize')
    t.ok(printed > 100 && printed < 200, `${printed} of 1,000 are printed`)
  })

  void t.test(`schemas that change between requests are told apart (${major})`, async (t) => {
    const fields = names(50).map((name) => `${name}: Int`)
    const larger = module.buildSchema(`type Query { ${fields.join(' ')} }`)
    const { send } = clientOf({
      graphql: module,
      schema: ({ target }) => (target.endsWith('large') ? larger : schema),
      maxIntrospectionSize: 60,
    })
    const json = { query: '{ __type(name: "Query") { fields { name } } }' }
    t.equal((await send({ json, target: '/graphql' })).status, 200)
    t.equal((await send({ json, target: '/graphql?large' })).status, 422)
    t.equal((await send({ json, target: '/graphql' })).status, 200)
  })
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `N${at}`)
}

/** How many fields and items of lists there are in data, and how much text. */
function partsOf(value: unknown): { readonly parts: number; readonly text: number } {
  if (typeof value === 'string') return { parts: 0, text: value.length }
  if (typeof value !== 'object' || value === null) return { parts: 0, text: 0 }
  const within = Object.values(value).map(partsOf)
  return {
    parts: within.reduce((sum, { parts }) => sum + 1 + parts, 0),
    text: within.reduce((sum, { text }) => sum + text, 0),
  }
}
