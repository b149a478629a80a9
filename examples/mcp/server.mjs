import { createServer } from 'node:http'
import { buildSchema, createHandler, route } from 'graphwire'
import { createMcpHandler } from '@graphwire/mcp'
import { toNodeListener } from 'graphwire/node'
import { GraphQLError } from 'graphql'

const books = new Map([
  ['1', { id: '1', title: 'Emma', pages: 474 }],
  ['2', { id: '2', title: 'Persuasion', pages: 249 }],
])
const sdl = `
  type Query {
    "One book, or null if there is none with this id."
    book(id: ID!): Book
    "All books, in order of their ids."
    books("At most so many." limit: Int): [Book!]!
  }
  type Mutation {
    "Removes a book for good."
    removeBook(id: ID!): Boolean!
  }
  type Book { id: ID!  title: String!  pages: Int }
`
const schema = buildSchema(sdl, {
  Query: {
    book: (_, { id }) => books.get(id),
    books: (_, { limit }) => [...books.values()].slice(0, limit),
  },
  Mutation: {
    removeBook: (_, { id }) => {
      if (books.delete(id)) return true
      throw new GraphQLError(`No book has the id ${id}.`, { extensions: { code: 'NOT_FOUND' } })
    },
  },
})

const tools = [
  'query GetBook($id: ID!) { book(id: $id) { id title pages } }',
  'query ListBooks($limit: Int = 10) { books(limit: $limit) { id title } }',
  { operation: 'mutation RemoveBook($id: ID!) { removeBook(id: $id) }', destructive: true },
]
const info = { name: 'books', version: '1.0.0' }

const handler = route({
  '/graphql': createHandler({ schema }),
  '/mcp': createMcpHandler({ schema, tools, mutations: true, info }),
})

const server = createServer(toNodeListener(handler))
server.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/mcp`)
})
