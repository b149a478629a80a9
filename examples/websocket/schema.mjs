import { buildSchema } from 'graphwire'

const sdl = `
  type Query { hello(name: String = "world"): String! }
  type Subscription { countdown(from: Int!): Int! }
`
export const schema = buildSchema(sdl, {
  Query: { hello: (_, { name }) => `Hello, ${name}!` },
  Subscription: {
    countdown: {
      async *subscribe(_, { from }) {
        for (let at = from; at >= 0; at -= 1) yield { countdown: at }
      },
    },
  },
})
