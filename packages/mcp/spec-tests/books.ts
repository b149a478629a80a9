import { GraphQLError, type GraphQLSchema } from 'graphql'
import { buildSchema } from 'graphwire'
import { testClient, type TestRequest, type TestResponse } from 'graphwire/testing'
import { createMcpHandler, type McpOptions } from '@graphwire/mcp'

const sdl = `
  type Query {
    "One book, or null if there is none."
    book("Of which book." id: ID!): Book
    books("At most so many." limit: Int, filter: Filter): [Book!]!
    "Everything that can be found."
    search(text: String!): [Found!]!
    fail(how: String!): String
    must: String!
    slow: String
  }
  type Mutation { "Removes a book." removeBook(id: ID!): Boolean!  addBook(input: NewBook!): Book }
  type Subscription { added: Book }
  type Book { id: ID!  title: String!  pages: Int  genre: Genre  price: Money  author: Author }
  type Author { id: ID!  name: String! }
  union Found = Book | Author
  enum Genre { NOVEL POEM }
  "An amount with its currency."
  scalar Money
  input Filter { genre: Genre = NOVEL  not: Filter  titles: [String!]  any: [Filter!] }
  input NewBook { title: String!  pages: Int }
`

const author = { __typename: 'Author', id: '9', name: 'Jane' }
// oxfmt-ignore
const books = [
  { __typename: 'Book', id: '1', title: 'Emma', pages: 474, genre: 'NOVEL', price: '1 EUR', author },
  { __typename: 'Book', id: '2', title: 'Odes', pages: null, genre: 'POEM', price: null, author: null },
]

export function createBooks(): GraphQLSchema {
  return buildSchema(sdl, {
    Query: {
      book: (_, { id }: { id: string }) => books.find((book) => book.id === id),
      books: (_, { limit }: { limit?: number }) => books.slice(0, limit ?? undefined),
      search: () => [...books, author],
      fail(_, { how }: { how: string }) {
        if (how === 'bug') throw new Error('a secret')
        throw new GraphQLError('You may not.', { extensions: { code: 'FORBIDDEN' } })
      },
      must: () => null,
      slow: (_, __, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
    },
    Mutation: {
      removeBook: (_, { id }: { id: string }) => books.some((book) => book.id === id),
      addBook: (_, { input }: { input: { title: string } }) => ({ id: '3', ...input }),
    },
  })
}

export const tools: McpOptions['tools'] = [
  `# Finds a book by its id.
  # Ask for the id if you do not know it.
  query GetBook($id: ID!) { book(id: $id) { id title pages genre price author { name } } }`,
  'query ListBooks($limit: Int = 10, $filter: Filter) { books(limit: $limit, filter: $filter) { id title } }',
  'query Search($text: String!, $withPages: Boolean = false) { search(text: $text) { __typename ...Some } }' +
    ' fragment Some on Found { ... on Book { title pages @include(if: $withPages) } ... on Author { name } }',
  'query Fail($how: String!) { fail(how: $how) must: __typename }',
  'query Must { must }',
  'query Slow { slow }',
]

export const info: McpOptions['info'] = { name: 'books', version: '1.2.3' }

export interface Rpc {
  readonly id?: unknown
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A stateless request with all that the protocol demands; parts of it can be replaced or, by undefined, left out. */
export function stateless(
  method: string,
  params: { readonly [name: string]: unknown } = {},
  headers: { readonly [name: string]: string | undefined } = {},
): TestRequest {
  const lines = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(method === 'tools/call' && { 'mcp-name': String(params['name']) }),
    ...headers,
  }
  return {
    target: '/mcp',
    headers: Object.fromEntries(
      Object.entries(lines).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
    json: { jsonrpc: '2.0', id: 1, method, params: { _meta: meta, ...params } },
  }
}

/** A request of a version with a handshake. */
export function ofHandshake(
  method: string,
  params?: object,
  version: string | null = '2025-11-25',
): TestRequest {
  return {
    target: '/mcp',
    headers: { ...(version !== null && { 'mcp-protocol-version': version }) },
    json: { jsonrpc: '2.0', id: 'a', method, ...(params && { params }) },
  }
}

export function callOf(name: string, args?: unknown): TestRequest {
  return stateless('tools/call', { name, ...(args !== undefined && { arguments: args }) })
}

export interface Mcp {
  readonly send: (request: TestRequest) => Promise<TestResponse>
  /** Calls a tool, and gives its result. */
  readonly call: (name: string, args?: unknown) => Promise<ToolResult>
  readonly bugs: readonly unknown[]
}

export interface ToolResult {
  readonly content: readonly [{ readonly type: string; readonly text: string }]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

export function createMcp(options: Partial<McpOptions> = {}): Mcp {
  const bugs: unknown[] = []
  const send = testClient(
    createMcpHandler({
      schema: createBooks(),
      tools,
      info,
      onBug: (bug) => bugs.push(bug),
      createId: () => 'the-id',
      ...options,
    }),
  )
  return {
    send,
    bugs,
    async call(name, args) {
      const response = await send(callOf(name, args))
      const { result, error } = response.json<Rpc>()
      if (result === undefined) throw new Error(`${response.status}: ${JSON.stringify(error)}`)
      return result as unknown as ToolResult
    },
  }
}
