import * as graphql from 'graphql'
import t from 'tap'
import { buildSchema } from '../../../src/index.js'
import type { TypeResolvers } from '../../../src/graphql/schema/resolvers.js'
import { clientOf } from '../../handler/client-of.js'
import { sourceOf } from '../../streams/stream-test.js'
import { majors } from '../majors.js'

const sdl = `
  enum Color { RED GREEN BLUE }
  scalar Stamp
  input Paint { color: Color! = GREEN }
  interface Node { id: ID! }
  union Any = Person | Thing
  type Person implements Node { id: ID!  name: String }
  type Thing implements Node { id: ID! }
  type Query {
    color(color: Color = RED, paint: Paint = {}): Color
    colors(colors: [Color!]): [Color!]
    anys: [Any!]
    nodes: [Node!]
    person: Person
  }
  type Subscription { ticks: Int }
`

const id = (): string => '1'

// Whatever its type, what is wrong is named.
// oxfmt-ignore
const mistakes: readonly [resolvers: object, message: string][] = [
  [{ Persn: {} },                          'Resolvers for "Persn": the schema has no such type. Did you mean Person?'],
  [{ Qqqqqqq: {} },                        'Resolvers for "Qqqqqqq": the schema has no such type.'],
  [{ Person: null },                       'Resolvers for "Person": expected an object, got null.'],
  [{ Person: id },                         'Resolvers for "Person": expected an object, got function.'],
  [{ Person: new Date() },                 'Resolvers for "Person": expected a plain object, got an instance of a class.'],
  [{ Person: { nmae: id } },               'Resolver "Person.nmae": the type has no such field. Did you mean name?'],
  [{ Person: { x: id } },                  'Resolver "Person.x": the type has no such field. Expected id, name.'],
  [{ Person: { name: undefined } },        'Resolver "Person.name": expected a function, or { resolve, subscribe }, got undefined.'],
  [{ Person: { name: 'x' } },              'Resolver "Person.name": expected a function, or { resolve, subscribe }, got string.'],
  [{ Person: { name: {} } },               'Resolver "Person.name": expected a function, or { resolve, subscribe }, got an object with neither.'],
  [{ Color: { RED: undefined } },          'Resolver "Color.RED": expected a value, got undefined.'],
  [{ Stamp: { serialize: id, parseValue: undefined } }, 'Resolver "Stamp.parseValue": expected a function, got undefined.'],
  [{ Stamp: { coerceOutputValue: undefined, coerceInputValue: id } }, 'Resolver "Stamp.coerceOutputValue": expected a function, got undefined.'],
  [{ Person: { name: { resolv: id } } },   'Resolver "Person.name": fields have no "resolv". Did you mean resolve?'],
  [{ Person: { name: { resolve: 1 } } },   'Resolver "Person.name": resolve: expected a function, got number.'],
  [{ Person: { __isTypeOf: 1 } },          'Resolver "Person.__isTypeOf": expected a function, got number.'],
  [{ Person: { __resolveReference: id } }, 'Resolver "Person.__resolveReference": Apollo Federation is not built in.'],
  [{ Node: { id } },                       'Resolver "Node.id": field resolvers of interfaces never run. Add it to the types that implement Node.'],
  [{ Any: { __resolveTyp: id } },          'Resolver "Any.__resolveTyp": interfaces and unions have no "__resolveTyp". Did you mean __resolveType?'],
  [{ Any: { resolveType: 1 } },            'Resolver "Any.resolveType": expected a function, got number.'],
  [{ Paint: { color: id } },               'Resolvers for "Paint": input types have no resolvers.'],
  [{ Color: { GREN: 1 } },                 'Resolver "Color.GREN": the enum has no such value. Did you mean GREEN?'],
  [{ Stamp: { serialise: id } },           'Resolver "Stamp.serialise": scalars have no "serialise". Did you mean serialize?'],
  [{ Stamp: { extensionASTNode: [] } },    'Resolver "Stamp.extensionASTNode": scalars have no "extensionASTNode". Did you mean extensionASTNodes?'],
  [{ Stamp: { serialize: 1 } },            'Resolver "Stamp.serialize": expected a function, got number.'],
  [{ Stamp: { parseLiteral: id } },        'Resolvers for "Stamp": a parser of literals without one of variables would leave variables unchecked.'],
  [
    { Stamp: { serialize: id, coerceInputLiteral: id } },
    'Resolvers for "Stamp": a parser of literals without one of variables would leave variables unchecked.',
  ],
]

for (const [major, module] of majors) {
  for (const [resolvers, message] of mistakes) {
    void t.test(`${major}: ${message}`, async (t) => {
      const build = (): unknown => buildSchema(sdl, resolvers as {}, { graphql: module })
      t.throws(build, { name: 'SchemaError', message })
    })
  }

  void t.test(`${major}: enums have internal values, in and out and by default`, async (t) => {
    const internal = { RED: 0, GREEN: Symbol('green') }
    const seen: unknown[] = []
    const Query: TypeResolvers<unknown> = {
      color: (_source, { color, paint }) => (seen.push(color, paint.color), color),
      colors: (_source, { colors }) => colors,
    }
    const schema = buildSchema(sdl, { Color: internal, Query }, { graphql: module })
    const { ask } = clientOf({ schema, graphql: module })
    const query = `query ($color: Color, $paint: Paint, $colors: [Color!]) {
      byDefault: color
      variable: color(color: $color, paint: $paint)
      literal: color(color: BLUE, paint: { color: RED })
      colors(colors: $colors)
    }`
    const variables = { color: 'GREEN', paint: { color: 'BLUE' }, colors: ['RED', 'GREEN', 'BLUE'] }
    const names = { byDefault: 'RED', variable: 'GREEN', literal: 'BLUE' }
    const data = { ...names, colors: variables.colors }
    t.strictSame((await ask(query, variables)).json(), { data })
    t.strictSame(seen, [0, internal.GREEN, internal.GREEN, 'BLUE', 'BLUE', 0])
    t.match((await ask('{ color(color: 0) }')).body, 'GRAPHQL_VALIDATION_FAILED')
  })

  for (const prefix of ['', '__']) {
    const [resolveType, isTypeOf] = [`${prefix}resolveType`, `${prefix}isTypeOf`]
    void t.test(`${major}: ${resolveType} and ${isTypeOf}`, async (t) => {
      const values = ['Person', 'Thing'].map((kind) => ({ id: '1', kind }))
      const kindOf = (value: { readonly kind: string }): string => value.kind
      const Query = { anys: () => values, nodes: () => values, person: () => ({ kind: 'Thing' }) }
      const check = { [isTypeOf]: (value: { readonly kind: string }) => value.kind === 'Person' }
      const byAbstract = buildSchema(
        sdl,
        { Query, Any: { [resolveType]: kindOf }, Node: { [resolveType]: kindOf }, Person: check },
        { graphql: module },
      )
      const query = '{ anys { __typename } nodes { __typename } person { id } }'
      const response = await clientOf({ schema: byAbstract, graphql: module }).ask(query)
      const names = [{ __typename: 'Person' }, { __typename: 'Thing' }]
      const data = { anys: names, nodes: names, person: null }
      t.strictSame(response.json<{ data: object }>().data, data)
    })
  }

  void t.test(`${major}: a field is a function or { subscribe, resolve }`, async (t) => {
    const subscribe = () => sourceOf(1, 2)
    const schema = buildSchema(
      sdl,
      { Subscription: { ticks: { subscribe, resolve: (tick) => Number(tick) * 10 } } },
      { graphql: module },
    )
    const document = graphql.parse('subscription { ticks }')
    const results = await module.subscribe({ schema, document })
    const ticks: unknown[] = []
    for await (const { data } of results as AsyncIterable<graphql.ExecutionResult>) {
      ticks.push(data?.['ticks'])
    }
    t.strictSame(ticks, [10, 20])
  })

  void t.test(`${major}: SDL in several pieces, as text or parsed`, async (t) => {
    const schema = buildSchema(
      ['type Query { a: Int }', graphql.parse('extend type Query { b: Int }')],
      { Query: { a: () => 1, b: () => 2 } },
      { graphql: module },
    )
    const { ask } = clientOf({ schema, graphql: module })
    t.strictSame((await ask('{ a b }')).json(), { data: { a: 1, b: 2 } })
    const document = graphql.parse('type Query { a: Int }')
    t.ok(buildSchema(document, {}, { graphql: module }).getType('Query'))
    const pieces = ['type Query { a: Int }', 'type Person {']
    t.throws(() => buildSchema(pieces, {}, { fileName: 'sdl' }), /Syntax Error/)
    const ofOtherKind = ['type Query { a: Int }', 'extend input Query { b: Int }']
    t.throws(() => buildSchema(ofOtherKind, {}, { graphql: module }), /Cannot extend non-input/)
    const unknown = 'type Query { a: Int @lost }'
    t.throws(() => buildSchema(unknown, {}, { graphql: module }), /Unknown directive "@lost"/)
  })
}
