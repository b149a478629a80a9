import { buildSchema, type OperationRequest } from 'graphwire'

const sdl = `
  directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean)
    on FIELD_DEFINITION | OBJECT | INTERFACE | UNION
  enum CacheControlScope { PUBLIC PRIVATE }
  type Query {
    products(n: Int): [Product!]! @cacheControl(maxAge: 60, scope: PUBLIC)
    many(n: Int!): [Product!]! @cacheControl(maxAge: 60, scope: PUBLIC)
    none: [Product!]! @cacheControl(maxAge: 60, scope: PUBLIC)
    one: Product @cacheControl(maxAge: 60, scope: PUBLIC)
    node(id: ID!): Node @cacheControl(maxAge: 60, scope: PUBLIC)
    me: User @cacheControl(maxAge: 60, scope: PRIVATE)
    now: Float
    secretly: String @cacheControl(maxAge: 60, scope: PUBLIC)
    secretlyLater: String @cacheControl(maxAge: 60, scope: PUBLIC)
    unstored: String @cacheControl(maxAge: 60, scope: PUBLIC)
    broken: String @cacheControl(maxAge: 60, scope: PUBLIC)
    cookie: String @cacheControl(maxAge: 60, scope: PUBLIC)
    varies(by: String!): String @cacheControl(maxAge: 60, scope: PUBLIC)
    slow: Int @cacheControl(maxAge: 60, scope: PUBLIC)
    later: Product @cacheControl(maxAge: 60, scope: PUBLIC)
    image: Image @cacheControl(maxAge: 60, scope: PUBLIC)
    size(of: Anything): Int @cacheControl(maxAge: 60, scope: PUBLIC)
  }
  interface Node { id: ID! }
  type Product implements Node @cacheControl(maxAge: 60, scope: PUBLIC) { id: ID!  name: String!  similar: Product }
  scalar Anything
  type Image { data: String  extensions: [String] }
  type User implements Node @cacheControl(maxAge: 60) { id: ID!  name: String! }
  type Mutation { rename(id: ID!, name: String!): Product  renameNode(id: ID!, name: String!): Node  renameLater(id: ID!, name: String!): Product  renameBadly: Product  addUser: User }
`

type Context = OperationRequest<unknown, string>
type Arguments = {
  readonly id: string
  readonly name: string
  readonly n: number
  readonly by: string
}

/** A schema whose root fields count their calls. */
export function createShop() {
  const names = ['Chair', 'Table']
  const waiting: (() => void)[] = []
  const shop = {
    calls: 0,
    /** Whether `secretlyLater` is private. */
    isSecret: true,
    /** How many more of the fields `later` wait. */
    pauses: 0,
    names,
    /** Waits until so many resolvers wait. */
    async waiting(count: number) {
      while (waiting.length < count) await new Promise((resolve) => setImmediate(resolve))
    },
    go: () => {
      for (const proceed of waiting.splice(0)) proceed()
    },
  }
  const product = (at: number) => ({
    id: String(at + 1),
    name: names[at] ?? '',
    __typename: 'Product',
  })
  const wait = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  const counted =
    <Value>(resolve: (args: Arguments, context: Context) => Value) =>
    (_: unknown, args: Arguments, context: Context): Value => {
      shop.calls += 1
      return resolve(args, context)
    }
  const schema = buildSchema<Context>(sdl, {
    Query: {
      products: counted(() => names.map((_, at) => product(at))),
      many: counted(({ n }) => Array.from({ length: n }, (_, at) => product(at))),
      none: counted(() => []),
      one: counted(() => product(0)),
      node: counted(({ id }) => product(Number(id) - 1)),
      me: counted((_, { principal }) => ({ id: principal, name: principal })),
      now: counted(() => performance.now()),
      secretly: counted((_, request) => {
        request.cacheHint({ scope: 'PRIVATE' })
        return request.principal
      }),
      secretlyLater: counted(async (_, request) => {
        await wait()
        if (shop.isSecret) request.cacheHint({ scope: 'PRIVATE' })
        return request.principal
      }),
      unstored: counted((_, request) => {
        request.cacheHint({ maxAge: 0 })
        return 'a'
      }),
      broken: counted(() => {
        throw new Error('broken')
      }),
      cookie: counted((_, { responseHeaders }) => {
        responseHeaders.append('Set-Cookie', 'a=b')
        return 'a'
      }),
      varies: counted(({ by }, { responseHeaders }) => {
        responseHeaders.append('Vary', by)
        return 'a'
      }),
      slow: counted(async () => {
        await wait()
        return shop.calls
      }),
      later: counted(async () => {
        const found = product(0)
        if (shop.pauses-- > 0) await wait()
        return found
      }),
      image: counted(() => ({ data: 'abc', extensions: ['png'] })),
      size: counted(() => shop.calls),
    },
    Mutation: {
      rename: counted(({ id, name }) => ({ id, name })),
      renameNode: counted(({ id, name }) => ({ id, name, __typename: 'Product' })),
      renameLater: counted(async ({ id, name }) => {
        names[Number(id) - 1] = name
        await wait()
        return { id, name }
      }),
      renameBadly: counted(() => {
        throw new Error('behind the write')
      }),
      addUser: counted(() => ({ id: '1', name: 'new' })),
    },
  })
  return Object.assign(shop, { schema })
}
