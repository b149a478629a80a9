import type * as graphql17 from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import t from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import { createHandler, type BugDetails, type Options } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../../handler/client-of.js'
import { majors } from '../majors.js'

/** What graphql-js throws by itself while it completes values: the server errs, and most of it quotes what resolvers gave. */
const sdl = `
  type Query {
    named: Named  node: Node  nodes: [Node!]  either: Either  late: Named
    int: Int  wholeInt: Int!  float: Float  string: String  boolean: Boolean  id: ID  color: Color  list: [Int]
    argument(n: Int! = 1): Int
  }
  interface Node { id: ID }
  type Named implements Node { id: ID }
  type Other { id: ID }
  union Either = Named | Other
  enum Color { RED }
`

const secret = { id: 'hunter2', toString: () => 'hunter2' }

interface Types {
  readonly resolveType?: (value: unknown, context: unknown, info: GraphQLResolveInfo) => unknown
  readonly isTypeOf?: () => unknown
}

/** The resolver of every field gives the value. */
type Fault = readonly [title: string, query: string, value: unknown, message: RegExp, types?: Types]

// oxfmt-ignore
const faults: readonly Fault[] = [
  ['a false isTypeOf', '{ named { id } }', { password: 'hunter2' }, /^Expected value of type "Named" but got: .*hunter2/, { isTypeOf: () => false }],
  [
    'a late false isTypeOf',
    '{ named { id } }',
    { password: 'hunter2' },
    /^Expected value of type "Named" but got: /,
    { isTypeOf: () => Promise.resolve(false) },
  ],
  ['a type that is not possible', '{ node { id } }', secret, /^Runtime Object type "Other" is not a possible type for "Node"/, { resolveType: () => 'Other' }],
  [
    'a type that does not exist',
    '{ node { id } }',
    secret,
    /^Abstract type "Node" was resolved to a type "hunter2" that does not exist/,
    { resolveType: () => 'hunter2' },
  ],
  ['a type that is an input', '{ node { id } }', secret, /^Abstract type "Node" was resolved to a non-object type "Color"/, { resolveType: () => 'Color' }],
  ['no type at all',          '{ node { id } }', secret, /^Abstract type "Node" must resolve to an Object type at runtime/, { resolveType: () => undefined }],
  [
    'a type that is no name',
    '{ node { id } }',
    { password: 'hunter2' },
    /^Abstract type "Node" must resolve to an Object type at runtime.*hunter2/s,
    { resolveType: () => 5 },
  ],
  ['a union without a type', '{ either { __typename } }', secret, /^Abstract type "Either" must resolve to an Object type at runtime/],
  [
    'a type that is its object',
    '{ node { id } }',
    secret,
    /^(?:Support for returning GraphQLObjectType from|Abstract type "Node" must resolve to)/,
    { resolveType: (_: unknown, __: unknown, { schema }: GraphQLResolveInfo) => schema.getType('Named') },
  ],
  ['one value for a list',                '{ list }',    secret,                  /^Expected Iterable, but did not find one for field "Query.list"/],
  ['a text for an Int',                   '{ int }',     'hunter2',               /^Int cannot represent non-integer value: "hunter2"/],
  ['a large number for an Int',           '{ int }',     2 ** 40,                 /^Int cannot represent non 32-bit signed integer value: /],
  ['a text for an Int! that takes the data with it', '{ wholeInt }', 'hunter2', /^Int cannot represent non-integer value: "hunter2"/],
  ['a text for a Float',                  '{ float }',   'hunter2',               /^Float cannot represent non numeric value: "hunter2"/],
  ['an object for a String',              '{ string }',  { password: 'hunter2' }, /^String cannot represent value: .*hunter2/],
  ['a text for a Boolean',                '{ boolean }', 'hunter2',               /^Boolean cannot represent a non boolean value: "hunter2"/],
  ['an object for an ID',                 '{ id }',      { password: 'hunter2' }, /^ID cannot represent value: .*hunter2/],
  ['a value that an enum lacks',          '{ color }',   'hunter2',               /^Enum "Color" cannot represent value: "hunter2"/],
  ['an item of a list that does not fit', '{ list }',    [1, 'hunter2'],          /^Int cannot represent non-integer value: "hunter2"/],
]

async function run(
  module: typeof graphql17,
  query: string,
  value: unknown,
  { resolveType, isTypeOf }: Types = {},
  options: Partial<Options> = {},
) {
  const bugs: { bug: unknown; details: BugDetails }[] = []
  const schema = module.buildSchema(sdl)
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    field.resolve = typeof value === 'function' ? (value as never) : () => value
  }
  const types = schema.getTypeMap()
  if (resolveType) Object.assign(types['Node'] ?? {}, { resolveType })
  if (isTypeOf) Object.assign(types['Named'] ?? {}, { isTypeOf })
  const handler = createHandler({
    schema,
    graphql: module,
    onBug: (bug, details) => bugs.push({ bug, details }),
    createId: () => 'id-1',
    ...options,
  })
  const response = await testClient(handler)({ json: { query } })
  return { response, body: response.json() as { errors?: { message: string }[] }, bugs }
}

for (const [major, module] of majors) {
  for (const [title, query, value, message, types] of faults) {
    void t.test(`${major}: ${title} is masked and reported`, async (t) => {
      const { response, body, bugs } = await run(module, query, value, types)
      t.equal(response.status, 294)
      t.notMatch(response.body, 'hunter2')
      const extensions = { code: 'INTERNAL_SERVER_ERROR', id: 'id-1' }
      t.match(body.errors, [{ message: 'Internal server error', extensions }])
      t.equal(bugs.length, 1)
      t.match((bugs[0]?.bug as Error | undefined)?.message, message)
    })

    void t.test(`${major}: ${title} is shown where masking is off`, async (t) => {
      const { body, bugs } = await run(module, query, value, types, { maskErrors: false })
      t.match(body.errors?.[0]?.message, message)
      t.strictSame(bugs, [])
    })
  }

  // oxfmt-ignore
  const intended: readonly [title: string, error: () => Error, message: string][] = [
    ['with a cause',                        () => withCause(module, 'Shown.', new Error('hunter2')),                               'Shown.'],
    ['with a cause whose words it repeats', () => withCause(module, 'hunter3', new Error('hunter3')),                              'hunter3'],
    ['with a cause and a code', () => new module.GraphQLError('Shown.', { extensions: { code: 'NOT_FOUND' }, cause: new Error('hunter2') }), 'Shown.'],
    ['with a cause and a path',             () => new module.GraphQLError('Shown.', { path: ['a'], cause: new Error('hunter2') }), 'Shown.'],
    ['with a cause that is not an Error',   () => withCause(module, 'Shown.', 'hunter2'),                                          'Shown.'],
    [
      'with a cause whose extensions are not for clients',
      () => withCause(module, 'Shown.', Object.assign(new Error('x'), { extensions: { password: 'hunter2' } })),
      'Shown.',
    ],
    [
      'with a cause that was made for clients, of another that was not',
      () => {
        const innermost = Object.assign(new Error('x'), { extensions: { password: 'hunter2' } })
        return withCause(module, 'Shown.', withCause(module, 'Between.', innermost))
      },
      'Shown.',
    ],
    ['about the node of its field', () => new module.GraphQLError('Expected value of type "Int".'), 'Expected value of type "Int".'],
    [
      'in the words of graphql-js, with a code',
      () => new module.GraphQLError('Int cannot represent non-integer value: 5', { extensions: { code: 'BAD_USER_INPUT' } }),
      'Int cannot represent non-integer value: 5',
    ],
  ]
  for (const [title, make, message] of intended) {
    void t.test(`${major}: what is thrown on purpose is shown: ${title}`, async (t) => {
      const { response, body, bugs } = await run(module, '{ int }', thrower(make()))
      t.equal(body.errors?.[0]?.message, message)
      t.notMatch(response.body, 'hunter2')
      t.strictSame(bugs, [])
    })
  }

  void t.test(`${major}: an Error that a GraphQLError says it wraps is masked`, async (t) => {
    const withoutStack = new Error('hunter2')
    delete withoutStack.stack
    for (const originalError of [new Error('hunter2'), withoutStack]) {
      const wrapping = new module.GraphQLError('hunter2', { originalError })
      const { response, bugs } = await run(module, '{ int }', thrower(wrapping))
      t.notMatch(response.body, 'hunter2')
      t.match(bugs, [{ bug: originalError }])
    }
  })

  void t.test(`${major}: an Error whose stack was changed afterwards is masked`, async (t) => {
    const error = new Error('hunter2')
    const value = (_: unknown, __: unknown, ___: unknown, { fieldName }: GraphQLResolveInfo) => {
      if (fieldName === 'int') throw error
      error.stack = 'changed'
      return 'x'
    }
    const { response, bugs } = await run(module, '{ int string }', value)
    t.notMatch(response.body, 'hunter2')
    t.match(bugs, [{ bug: error }])
  })

  void t.test(`${major}: what a client's argument lacks is shown`, async (t) => {
    const query = 'query ($n: Int) { argument(n: $n) }'
    const { ask, bugs } = clientOf({ schema: module.buildSchema(sdl), graphql: module })
    t.match((await ask(query, { n: null })).json(), { errors: [{ message: /^Argument "/ }] })
    t.strictSame(bugs, [])
  })
}

function withCause(module: typeof graphql17, message: string, cause: unknown): Error {
  return new module.GraphQLError(message, { cause })
}
