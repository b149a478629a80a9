import * as graphql from 'graphql'
import t from 'tap'
import { clientOf } from '../../handler/client-of.js'
import { majors } from '../majors.js'

const sdl = `
  directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean)
    on FIELD_DEFINITION | OBJECT | INTERFACE | UNION
  enum CacheControlScope { PUBLIC PRIVATE }
  type Query {
    plain: String
    short: String @cacheControl(maxAge: 10)
    long: String @cacheControl(maxAge: 100)
    zero: String @cacheControl(maxAge: 0)
    negative: String @cacheControl(maxAge: -1)
    scopeOnly: String @cacheControl(scope: PRIVATE)
    empty: String @cacheControl
    public: String @cacheControl(maxAge: 50, scope: PUBLIC)
    private: String @cacheControl(maxAge: 60, scope: PRIVATE)
    inheriting: String @cacheControl(inheritMaxAge: true)
    book: Book @cacheControl(maxAge: 200)
    openBook: Book @cacheControl(maxAge: 200, scope: PUBLIC)
    books: [[Book!]]
    author: Author
    shortAuthor: Author @cacheControl(maxAge: 5)
    openAuthor: Author @cacheControl(scope: PUBLIC)
    extended: Extended
    twice: Twice
    passing: Passing
    node: Node
    longNode: Node @cacheControl(maxAge: 1000)
    found: Found
    lost: Lost
    named: Named @cacheControl(maxAge: 1000)
    again: Query @cacheControl(maxAge: 300)
    open: Open
    own: Open @cacheControl(maxAge: 60)
    ownOpen: Open @cacheControl(maxAge: 60, scope: PUBLIC)
    either: Either
    secret: Secret @cacheControl(maxAge: 60)
    openSecret: Secret @cacheControl(maxAge: 60, scope: PUBLIC)
    plainSecret: Secret
    member: Member @cacheControl(maxAge: 80, scope: PUBLIC)
  }
  type Mutation { change: String @cacheControl(maxAge: 10) }
  type Book {
    title: String
    cached: String @cacheControl(maxAge: 20)
    secret: String @cacheControl(scope: PRIVATE)
    seller: Author @cacheControl(inheritMaxAge: true)
    editor: Author
    shop: Shop
    heir: Shop @cacheControl(inheritMaxAge: true)
    heirOfSecret: Shop @cacheControl(inheritMaxAge: true, scope: PRIVATE)
    both: Shop @cacheControl(inheritMaxAge: true, maxAge: 1)
    passing: Passing
    heirs: Heirs
    chosen: Chosen @cacheControl(inheritMaxAge: true)
    openHeirs: OpenHeirs
    zeroHeirs: ZeroHeirs
  }
  union Heirs @cacheControl(inheritMaxAge: true) = Shop | Extended
  union Chosen = Shop | Twice | Author
  union OpenHeirs @cacheControl(inheritMaxAge: true) = Shop | Soon
  union ZeroHeirs @cacheControl(inheritMaxAge: true) = Shop | Zero
  type Soon @cacheControl(maxAge: 8, scope: PUBLIC) { id: ID }
  type Zero @cacheControl(maxAge: 0) { id: ID }
  type Author @cacheControl(maxAge: 30, scope: PRIVATE) { name: String }
  type Open @cacheControl(maxAge: 300, scope: PUBLIC) { name: String }
  union Either @cacheControl(maxAge: 90, scope: PUBLIC) = Open | Extended
  union Member = Open | Author
  interface Secret @cacheControl(scope: PRIVATE) { name: String }
  type Diary implements Secret @cacheControl(maxAge: 20) { name: String }
  type Shop { city: String }
  type Extended { id: ID }
  extend type Extended @cacheControl(maxAge: 40)
  type Twice @cacheControl(maxAge: 7) { id: ID }
  type Passing @cacheControl(inheritMaxAge: true) { id: ID  shop: Shop }
  interface Node @cacheControl(maxAge: 500) { id: ID  other: Node }
  type Leaf implements Node @cacheControl(maxAge: 400) {
    id: ID @cacheControl(maxAge: 3)
    other: Node @cacheControl(maxAge: 300)
    own: String
  }
  type Tree implements Node { id: ID  other: Node  own: String @cacheControl(maxAge: 2) }
  union Found @cacheControl(maxAge: 90) = Author | Extended
  union Lost = Author | Extended
  interface Named { name: String @cacheControl(maxAge: 9)  shop: Shop }
  type One implements Named { name: String  shop: Shop @cacheControl(maxAge: 70) }
  type Two implements Named { name: String  shop: Shop }
`

/** Without a lifetime, as without the option. */
const none = 'no-cache'
const privateNone = 'private, no-cache'

type Row = readonly [query: string, control: string, variables?: object]

// oxfmt-ignore
const rows: readonly Row[] = [
  // Root fields.
  ['{ short }',                                             'max-age=10, private'],
  ['{ short long }',                                        'max-age=10, private'],
  ['{ long a: short }',                                     'max-age=10, private'],
  ['{ long plain }',                                        none],
  ['{ long zero }',                                         none],
  ['{ long negative }',                                     none],
  ['{ long empty }',                                        none],
  ['{ long inheriting }',                                   none],
  ['{ scopeOnly }',                                         privateNone],
  ['{ private }',                                           'max-age=60, private'],
  ['{ private short }',                                     'max-age=10, private'],
  ['{ public }',                                            'max-age=50, public'],
  ['{ __typename }',                                        none],
  ['{ __typename short }',                                  'max-age=10, private'],
  ['{ short __schema { description } }',                    none],
  ['{ short __type(name: "Book") { name } }',               none],
  // Fields of objects: leaves inherit, objects do not.
  ['{ book { title } }',                                    'max-age=200, private'],
  ['{ book { title cached } }',                             'max-age=20, private'],
  ['{ book { secret } }',                                   'max-age=200, private'],
  ['{ book { shop { city } } }',                            none],
  ['{ book { heir { city } } }',                            'max-age=200, private'],
  ['{ book { heirOfSecret { city } } }',                    'max-age=200, private'],
  ['{ book { both { city } } }',                            'max-age=200, private'],
  ['{ books { title } }',                                   none],
  // Types.
  ['{ author { name } }',                                   'max-age=30, private'],
  ['{ shortAuthor { name } }',                              'max-age=5, private'],
  ['{ openAuthor { name } }',                               'max-age=30, public'],
  ['{ open { name } }',                                     'max-age=300, public'],
  ['{ own { name } }',                                      'max-age=60, private'],
  ['{ ownOpen { name } }',                                  'max-age=60, public'],
  ['{ book { editor { name } } }',                          'max-age=30, private'],
  ['{ book { seller { name } } }',                          'max-age=30, private'],
  ['{ extended { id } }',                                   'max-age=40, private'],
  ['{ passing { id } }',                                    none],
  ['{ book { passing { id } } }',                           'max-age=200, private'],
  ['{ book { passing { shop { city } } } }',                none],
  ['{ openBook { title } }',                                'max-age=200, public'],
  ['{ openBook { heirs { __typename } } }',                 'max-age=40, private'],
  ['{ openBook { heirs { ... on Shop { city } } } }',       'max-age=40, private'],
  ['{ openBook { chosen { __typename } } }',                'max-age=7, private'],
  ['{ openBook { openHeirs { __typename } } }',             'max-age=8, public'],
  ['{ openBook { zeroHeirs { __typename } } }',             none],
  ['{ again { short } }',                                   'max-age=10, private'],
  ['{ again { plain } }',                                   'max-age=300, private'],
  // Interfaces and unions: of all that an object can be, the strictest counts.
  ['{ node { __typename } }',                               'max-age=400, private'],
  ['{ either { __typename } }',                             'max-age=40, private'],
  ['{ secret { name } }',                                   'max-age=60, private'],
  ['{ openSecret { name } }',                               'max-age=60, private'],
  ['{ plainSecret { name } }',                              privateNone],
  ['{ member { __typename } }',                             'max-age=80, private'],
  ['{ longNode { __typename } }',                           'max-age=1000, private'],
  ['{ node { id } }',                                       'max-age=3, private'],
  ['{ node { other { __typename } } }',                     'max-age=300, private'],
  ['{ node { ... on Leaf { own } } }',                      'max-age=400, private'],
  ['{ node { ... on Tree { own } } }',                      'max-age=2, private'],
  ['{ found { __typename } }',                              'max-age=30, private'],
  ['{ found { ... on Extended { id } } }',                  'max-age=30, private'],
  ['{ lost { __typename } }',                               privateNone],
  ['{ named { name } }',                                    'max-age=9, private'],
  ['{ named { shop { city } } }',                           none],
  ['{ named { ... on One { shop { city } } } }',            'max-age=70, private'],
  // Fragments, at the root and below it.
  ['{ ...F } fragment F on Query { short }',                'max-age=10, private'],
  ['{ ...F } fragment F on Query { plain }',                none],
  ['{ again { ...F } } fragment F on Query { plain }',      'max-age=300, private'],
  ['{ again { ...F } ...F } fragment F on Query { plain }', none],
  ['{ ...F ...F } fragment F on Query { ... { short } }',   'max-age=10, private'],
  ['{ ... on Query { long ... { short } } }',               'max-age=10, private'],
  // What is left out does not count.
  ['{ long short @skip(if: true) }',                        'max-age=100, private'],
  ['{ long short @include(if: false) }',                    'max-age=100, private'],
  ['{ long short @skip(if: false) }',                       'max-age=10, private'],
  ['query ($b: Boolean!) { long short @skip(if: $b) }',     'max-age=100, private', { b: true }],
  ['query ($b: Boolean!) { long short @skip(if: $b) }',     'max-age=10, private', { b: false }],
  ['query ($b: Boolean!) { long short @skip(if: $b) }',     'max-age=100, private', { b: true }],
  ['query ($b: Boolean = false) { long ... @include(if: $b) { short } }', 'max-age=100, private'],
  ['query ($b: Boolean = false) { long ...F @include(if: $b) } fragment F on Query { private }', 'max-age=100, private'],
  ['query ($b: Boolean = false) { long ...F @include(if: $b) } fragment F on Query { private }', 'max-age=60, private', { b: true }],
  ['query ($b: Boolean!) { long ...F @skip(if: $b) ...F } fragment F on Query { short }', 'max-age=10, private', { b: true }],
  ['query ($b: Boolean!) { long ... @skip(if: true) { short @skip(if: $b) } }', 'max-age=100, private', { b: false }],
]

function targetOf(query: string, variables: object = {}): string {
  const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) })
  return `/graphql?${parameters.toString()}`
}

// oxfmt-ignore
const definitions: readonly [args: string, use: string, control: string][] = [
  ['maxAge: Int = 20, scope: CacheControlScope = PUBLIC', '@cacheControl',                        'max-age=20, public'],
  ['maxAge: Int = 20, scope: CacheControlScope = PUBLIC', '@cacheControl(maxAge: 5)',             'max-age=5, public'],
  ['maxAge: Int = 20, scope: CacheControlScope = PUBLIC', '@cacheControl(scope: PRIVATE)',        'max-age=20, private'],
  ['maxAge: Int = 20, scope: CacheControlScope = PUBLIC', '@cacheControl(maxAge: null)',          none],
  ['maxAge: Int = 20, inheritMaxAge: Boolean = true',     '@cacheControl(inheritMaxAge: false)',  'max-age=20, private'],
  ['maxAge: Int = 20, inheritMaxAge: Boolean = true',     '@cacheControl',                        none],
]

/** A schema made by code, which has no directives. */
function byCode(module: typeof graphql) {
  const { GraphQLObjectType, GraphQLSchema, GraphQLString } = module
  const field = (cacheControl: unknown) => ({ type: GraphQLString, extensions: { cacheControl } })
  const Thing = new GraphQLObjectType({
    name: 'Thing',
    extensions: { cacheControl: { maxAge: 80, scope: 'PUBLIC' } },
    fields: {
      id: { type: GraphQLString },
      mine: field({ scope: 'PRIVATE' }),
      word: field({ scope: 'private' }),
      open: field({ scope: null }),
    },
  })
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: {
      thing: { type: Thing },
      fraction: field({ maxAge: 1.9 }),
      forever: field({ maxAge: Infinity }),
      text: field({ maxAge: '60' }),
      nothing: field({ maxAge: NaN }),
      none: field({ maxAge: null }),
      list: field([60]),
      word: field({ maxAge: 60, scope: 'private' }),
      inheriting: field({ maxAge: 60, inheritMaxAge: true }),
    },
  })
  return new GraphQLSchema({ query })
}

// oxfmt-ignore
const codeRows: readonly Row[] = [
  ['{ thing { id } }',   'max-age=80, public'],
  ['{ thing { mine } }', 'max-age=80, private'],
  ['{ thing { word } }', 'max-age=80, private'],
  ['{ thing { open } }', 'max-age=80, public'],
  ['{ fraction }',       'max-age=1, private'],
  ['{ forever }',        'max-age=2147483647, private'],
  ['{ text }',           none],
  ['{ nothing }',        none],
  ['{ none }',           none],
  ['{ list }',           none],
  ['{ word }',           'max-age=60, private'],
  ['{ inheriting }',     none],
]

for (const [major, module] of majors) {
  const check = (title: string, schema: graphql.GraphQLSchema, all: readonly Row[]) => {
    const { send } = clientOf({ schema, graphql: module, cacheHints: true })
    for (const [query, control, variables] of all) {
      void t.test(`${major}${title}: ${query} ${JSON.stringify(variables ?? {})}`, async (t) => {
        const { status, headers } = await send({ target: targetOf(query, variables) })
        t.equal(status, 200)
        t.equal(headers.get('cache-control'), control)
      })
    }
  }
  check('', module.buildSchema(sdl), rows)
  check(', by extensions', byCode(module), codeRows)
  for (const [args, use, control] of definitions) {
    const schema = module.buildSchema(`
      directive @cacheControl(${args}) on FIELD_DEFINITION
      enum CacheControlScope { PUBLIC PRIVATE }
      type Query { a: String ${use} }
    `)
    check(`, @cacheControl(${args}), used as ${use}`, schema, [['{ a }', control]])
  }
}

void t.test('schemas that share types have policies of their own', async (t) => {
  const base = graphql.buildSchema(`
    directive @cacheControl(maxAge: Int) on FIELD_DEFINITION | OBJECT | UNION
    type Query { any: Any }
    type A @cacheControl(maxAge: 10) { id: ID }
    type B @cacheControl(maxAge: 5) { id: ID }
    union Any @cacheControl(maxAge: 90) = A
  `)
  const changed = graphql.extendSchema(base, graphql.parse('extend union Any = B'))
  let schema = base
  const { send } = clientOf({ schema: () => schema, cacheHints: true })
  for (const maxAge of [10, 5, 10]) {
    schema = maxAge === 5 ? changed : base
    const { headers } = await send({ target: targetOf('{ any { __typename } }') })
    t.equal(headers.get('cache-control'), `max-age=${maxAge}, private`)
  }
})

void t.test('nested spreads take no exponential time', async (t) => {
  const fragmentOf = (at: number) =>
    `fragment F${at} on Query { again { ...F${at + 1} ...F${at + 1} } }`
  const fragments = Array.from({ length: 40 }, (_, at) => fragmentOf(at))
  const query = `{ ...F0 ...F0 } ${fragments.join(' ')} fragment F40 on Query { short }`
  const unlimited = { maxDepth: 256, maxNesting: 256, maxCost: 1e15, maxTokens: 1e6 }
  const schema = graphql.buildSchema(sdl)
  const { send } = clientOf({ schema, cacheHints: true, ...unlimited })
  const { status, headers } = await send({ method: 'QUERY', json: { query } })
  t.equal(status, 200)
  t.equal(headers.get('cache-control'), 'max-age=10, private')
})
