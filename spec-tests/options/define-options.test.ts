import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { createRestHandler } from '@graphwire/rest'
import {
  buildSchema,
  createEndpoint,
  createHandler,
  defineExtension,
  defineOptions,
  executeInProcess,
  failure,
  success,
} from '../../src/index.js'
import type { ContextOf, OperationRequest, RequestOf } from '../../src/index.js'
import { serve, toNodeListener } from '../../src/hosts/node/index.js'
import { toFetch } from '../../src/hosts/fetch.js'
import { testClient } from '../../src/hosts/testing.js'

type Same<A, B> = [A, B] extends [B, A] ? (0 extends A & 1 ? false : true) : false

/** Compiles where the two types are the same, `any` not being the same as anything else. */
function same<A, B>(_isSame: Same<A, B>): void {}

interface User {
  readonly id: string
}

/** Everything that the types of this server are, named once. */
interface App {
  readonly principal: User | undefined
  readonly context: { readonly user: string }
}

const sdl = 'type Query { me: String }'

void t.test('one interface carries principal and context', async (t) => {
  same<ContextOf<App>, { readonly user: string }>(true)
  same<RequestOf<App>, OperationRequest<unknown, User | undefined>>(true)
  const options = defineOptions<App>({
    schema: buildSchema<ContextOf<App>>(sdl, { Query: { me: (_parent, _args, { user }) => user } }),
    authenticate: ({ headers }) =>
      headers.length === 0 ? failure({ kind: 'forbidden' }) : success({ id: 'ada' }),
    context: ({ principal }) => {
      same<typeof principal, User | undefined>(true)
      return { user: principal?.id ?? 'nobody' }
    },
    admit: ({ principal }) => {
      same<typeof principal, User | undefined>(true)
      return undefined
    },
  })
  const handler = createHandler(options)
  const response = await testClient(handler)({ json: { query: '{ me }' } })
  t.strictSame(response.json(), { data: { me: 'ada' } })
  // Any host takes it, since it asks nothing of the runtime's own request.
  t.ok([toNodeListener(handler), toFetch(handler)])
  t.throws(() => createRestHandler({ ...options, routes: [] }), /at least one route/)
  const served = await serve({ ...options, port: 0 })
  await served.close()
})

void t.test('without a context resolvers get the request', async (t) => {
  interface Plain {
    readonly principal: User
    readonly raw: IncomingMessage
  }
  same<ContextOf<Plain>, OperationRequest<IncomingMessage, User>>(true)
  const options = defineOptions<Plain>({
    schema: buildSchema<ContextOf<Plain>>(sdl, {
      Query: { me: (_parent, _args, { principal, head }) => `${principal.id} ${head.raw.url}` },
    }),
    authenticate: async ({ raw }) => success({ id: raw.url ?? '' }),
  })
  t.ok(toNodeListener(createHandler(options)))
  // @ts-expect-error The handler reads an IncomingMessage.
  t.ok(toFetch(createHandler(options)))
})

void t.test('what is named must be made, and made right', async (t) => {
  const schema = buildSchema(sdl)
  const authenticate = () => success<User | undefined>(undefined)
  // @ts-expect-error There is no context.
  t.ok(defineOptions<App>({ schema, authenticate }))
  // @ts-expect-error There is no principal.
  t.ok(defineOptions<App>({ schema, context: () => ({ user: '' }) }))
  // @ts-expect-error The context is another.
  t.ok(defineOptions<App>({ schema, authenticate, context: () => ({ tenant: '' }) }))
  const context = () => ({ user: '' })
  // @ts-expect-error The principal is another.
  t.ok(defineOptions<App>({ schema, authenticate: () => success(1), context }))
})

void t.test('an operation in process has the principal that is named', async (t) => {
  const options = defineOptions<App>({
    schema: buildSchema(sdl),
    authenticate: () => success<User | undefined>(undefined),
    context: () => ({ user: '' }),
  })
  const endpoint = createEndpoint(options)
  const query = '{ __typename }'
  const data = { __typename: 'Query' }
  interface Data {
    readonly __typename: string
  }
  t.strictSame(await executeInProcess(endpoint, { query, principal: { id: 'ada' } }), { data })
  t.strictSame(await executeInProcess(endpoint, { query, principal: undefined }), { data })
  t.strictSame(await executeInProcess<Data>(endpoint, { query }), { data })
  const named = executeInProcess<Data, App['principal']>
  t.strictSame(await named(endpoint, { query, principal: { id: 'ada' } }), { data })
  // @ts-expect-error The principal is another.
  t.ok(await executeInProcess(endpoint, { query, principal: { id: 5 } }))
  // @ts-expect-error The type of the principal is not named.
  t.ok(await executeInProcess<Data>(endpoint, { query, principal: { id: 'ada' } }))
  // @ts-expect-error The named type is another.
  t.ok(await executeInProcess<Data, { id: number }>(endpoint, { query, principal: { id: 5 } }))
})

void t.test('extensions add to the context what they say', async (t) => {
  const loaders = new Map<string, number>()
  const use = [
    defineExtension({ name: 'loaders', context: async () => ({ loaders }) }),
    defineExtension({
      name: 'clock',
      context: () => ({ now: (): number => 7 }),
      onResult: (_request, _result, context) => {
        same<typeof context, { now: () => number } | undefined>(true)
      },
    }),
    defineExtension({
      name: 'audit',
      admit: (request: OperationRequest<unknown, User | undefined>) => void request.principal?.id,
    }),
  ] as const
  interface Extended extends App {
    readonly use: typeof use
  }
  const schema = buildSchema<ContextOf<Extended>>('type Query { me: String }', {
    Query: {
      me: (_parent, _args, context) => {
        same<typeof context.loaders, Map<string, number>>(true)
        same<typeof context.user, string>(true)
        return `${context.user} ${context.now()}`
      },
    },
  })
  const context = () => ({ user: 'ada' })
  const options = defineOptions<Extended>({ schema, use, context })
  const response = await testClient(createHandler(options))({ json: { query: '{ me }' } })
  t.strictSame(response.json(), { data: { me: 'ada 7' } })
  // @ts-expect-error The extensions are missing.
  t.ok(defineOptions<Extended>({ schema, context }))
  // @ts-expect-error One of them is missing.
  t.ok(defineOptions<Extended>({ schema, context, use: [use[0], use[1]] }))
  interface Other {
    readonly principal: number
  }
  const authenticate = () => success(1)
  // @ts-expect-error The extension needs a user.
  t.ok(defineOptions<Other>({ schema, authenticate, use }))
  // @ts-expect-error Here, too.
  t.ok(createHandler({ schema, authenticate, use }))
  interface Plain {
    readonly use: typeof use
  }
  same<ContextOf<Plain>['header'], OperationRequest['header']>(true)
})
