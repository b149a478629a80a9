import { buildSchema } from 'graphwire'
import { serve, untilSignal } from 'graphwire/node'
import { createPubSub } from '@graphwire/pubsub'

const sdl = `
  type Query { messages: [String!]! }
  type Mutation { post(text: String!): Boolean! }
  type Subscription { posted: String! }
`
const messages = []
const topics = createPubSub()
const schema = buildSchema(sdl, {
  Query: { messages: () => messages },
  Mutation: {
    async post(_, { text }) {
      messages.push(text)
      await topics.publish('posted', { posted: text })
      return true
    },
  },
  Subscription: {
    posted: { subscribe: (_, args, { signal }) => topics.subscribe('posted', { signal }) },
  },
})

const { url, close } = await serve({ schema, port: Number(process.env.PORT ?? 4000) })
console.log(url)
await untilSignal()
await close()
