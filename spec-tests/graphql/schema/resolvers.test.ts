import { GraphQLScalarType, type GraphQLResolveInfo } from 'graphql'
import t from 'tap'
import { buildSchema, type OperationRequest, type Resolvers } from '../../../src/index.js'

interface Context {
  readonly user: string
}

type Same<A, B> = [A, B] extends [B, A] ? (0 extends A & 1 ? false : true) : false

/** Compiles where the two types are the same, `any` not being the same as anything else. */
function same<A, B>(_isSame: Same<A, B>): void {}

const sdl = `
  scalar Stamp
  enum Color { RED }
  interface Node { id: ID }
  type Person implements Node { id: ID  name: String  color: Color  stamp: Stamp }
  type Query { person(id: ID): Person  node: Node }
  type Subscription { ticks: Int }
`

void t.test('parameters of resolvers need no annotation', async (t) => {
  const schema = buildSchema<Context>(sdl, {
    Stamp: {
      serialize: (value) => (same<typeof value, unknown>(true), String(value)),
      parseValue: (value) => (same<typeof value, unknown>(true), value),
      parseLiteral: (node) => ('value' in node ? node.value : null),
      description: 'A scalar.',
    },
    Color: { RED: 0 },
    Node: {
      __resolveType: (_node, context, info) => {
        same<typeof context, Context>(true)
        same<typeof info, GraphQLResolveInfo>(true)
        return 'Person'
      },
    },
    Person: {
      name: (parent, args, context, info) => {
        same<typeof context, Context>(true)
        same<typeof info, GraphQLResolveInfo>(true)
        return `${parent.first} ${args.last} ${context.user}`
      },
      color: { resolve: (_parent, _args, { user }) => user.length },
      isTypeOf: (_value, { user }) => user.length > 0,
    },
    Query: { person: async (_parent, { id }, context) => ({ id, name: context.user.trim() }) },
    Subscription: {
      ticks: {
        async *subscribe(_parent, _args, context) {
          same<typeof context, Context>(true)
          yield 1
        },
        resolve: (tick, _args, { user }) => Number(tick) + user.length,
      },
    },
  })
  t.ok(schema)
})

void t.test('without a type of their own resolvers get the OperationRequest', async (t) => {
  const schema = buildSchema(sdl, {
    Query: {
      person: (_parent, _args, request) => {
        same<typeof request, OperationRequest>(true)
        return { name: request.header('x-name') }
      },
    },
  })
  t.ok(schema)
})

void t.test('resolvers may name their context themselves', async (t) => {
  const Query = { person: (_: unknown, __: unknown, { user }: Context) => ({ name: user }) }
  const resolvers: Resolvers<Context> = { Query }
  t.ok(buildSchema(sdl, { Query }))
  t.ok(buildSchema(sdl, resolvers))
})

void t.test('what cannot be right does not compile', async (t) => {
  const ofOthers = (_: unknown, __: unknown, { tenant }: { readonly tenant: string }): string =>
    tenant
  // @ts-expect-error Another context.
  t.ok(buildSchema<Context>(sdl, { Query: { person: ofOthers } }))
  // @ts-expect-error Another context, within an object.
  t.ok(buildSchema<Context>(sdl, { Query: { person: { resolve: ofOthers } } }))
  // @ts-expect-error Another context of a subscription.
  t.ok(buildSchema<Context>(sdl, { Subscription: { ticks: { subscribe: ofOthers } } }))
  t.ok(
    buildSchema<Context>(sdl, {
      // @ts-expect-error The context has no such member.
      Query: { person: (_parent, _args, context) => context.tenant },
    }),
  )
  // @ts-expect-error A type has an object.
  t.throws(() => buildSchema(sdl, { Query: () => null }))
})

void t.test('scalars of graphql-js, whatever their values', async (t) => {
  const Stamp = new GraphQLScalarType<Date, string>({ name: 'Stamp', parseValue: () => new Date() })
  class Internal {
    readonly id = 1
  }
  t.ok(buildSchema(sdl, { Stamp, Color: { RED: new Internal() } }))
})

void t.test('a scalar may type its values from resolvers, not those from clients', async (t) => {
  t.ok(buildSchema(sdl, { Stamp: { coerceOutputValue: (date: Date) => date.toISOString() } }))
  t.ok(buildSchema(sdl, { Stamp: { serialize: (date: Date) => date.toISOString() } }))
  // @ts-expect-error A client can send anything.
  t.ok(buildSchema(sdl, { Stamp: { coerceInputValue: (text: string) => new Date(text) } }))
  // @ts-expect-error A client can send anything.
  t.ok(buildSchema(sdl, { Stamp: { parseValue: (text: string) => new Date(text) } }))
})
