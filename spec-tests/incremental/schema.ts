import { GraphQLError, type GraphQLSchema } from 'graphql'
import { buildSchema } from '../../src/graphql/schema/build-schema.js'

const sdl = `
  type Query {
    item: Item  none: [Int]  later: String  shown: String  counted: Int
    numbers(to: Int): [Int!]!  slowly: [Int]
  }
  type Item { name: String  size: Int  other: Item  shown: String  broken: Int! }
  type Mutation { change: Int  changed: Item }
  type Subscription { news: String  nested: Item }
`

const shown = (): never => {
  throw new GraphQLError('For clients.')
}

let counted = 0
const built = buildSchema(sdl, {
  Query: {
    item: () => ({ name: 'a' }),
    later: async () => 'late',
    counted: () => ++counted,
    numbers: () => [0, 1, 2],
    async *slowly() {
      for (let at = 0; at < 3; at++) {
        await new Promise((resolve) => setImmediate(resolve))
        yield at
      }
    },
    shown,
  },
  Mutation: { change: () => 1, changed: () => ({ name: 'a' }) },
  Item: {
    size: () => 1,
    other: () => ({ name: 'b' }),
    shown,
    broken: () => {
      throw new Error('secret')
    },
  },
})

/** A schema, and how often its field `counted` ran. */
export const schema: GraphQLSchema & { readonly counted: number } = Object.defineProperty(
  built as GraphQLSchema & { counted: number },
  'counted',
  { get: () => counted },
)
