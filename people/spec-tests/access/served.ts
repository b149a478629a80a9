import type { IncomingMessage } from 'node:http'
import { GraphQLError } from 'graphql'
import { buildSchema, createHandler, type Handler, type OperationRequest } from 'graphwire'
import { testClient, type TestRequest, type TestResponse } from 'graphwire/testing'
import type { Test } from 'tap'
import { createAccess, type AccessOptions } from '../../access/access.js'
import { hashApiKey, makeApiKey } from '../../access/api-keys.js'
import { createPasswords } from '../../access/passwords.js'
import { denyWrite, type Principal } from '../../access/principal.js'
import { createLogin } from '../../login.js'
import type { Scope } from '../../store/credential-stores.js'
import type { Store } from '../../store/open-store.js'
import type { Json } from '../schema/serve-schema.js'

type Request = OperationRequest<IncomingMessage, Principal>

/** The header fields of a request; those with a list come more than once. */
export type Fields = NonNullable<TestRequest['headers']>

export type Served = Awaited<ReturnType<typeof serveAccess>>

const schema = buildSchema(
  'type Query { who: String address: String } type Mutation { write: Int }',
  {
    Query: {
      who: (_: unknown, __: unknown, { principal }: Request) =>
        principal.key ?? principal.login ?? 'anonymous',
      address: (_: unknown, __: unknown, { principal }: Request) => principal.address,
    },
    Mutation: {
      write: (_: unknown, __: unknown, { principal }: Request) => {
        const denial = denyWrite(principal)
        if (denial === undefined) return 1
        throw new GraphQLError('No.', { extensions: { code: denial.kind } })
      },
    },
  },
)

/** Serves three fields at /graphql, and /login, behind access until the test ends. */
export async function serveAccess(
  t: Test,
  changes: Partial<AccessOptions> & Pick<AccessOptions, 'store'>,
) {
  const access = await createAccess({
    auth: 'writes',
    rateLimit: { perKey: 600, perAddress: 1_200 },
    streamsPerKey: 20,
    streamsPerAddress: 100,
    redisUrl: undefined,
    jwtKey: undefined,
    trustedProxies: 0,
    onFault: () => {},
    ...changes,
  })
  t.teardown(() => access.close())
  const { authenticate, admit } = access
  const graphql = createHandler<IncomingMessage, Principal>({ schema, authenticate, admit })
  const loginHandler = createLogin(access.login, {})
  const send = clientOf((head) => (head.target === '/login' ? loginHandler : graphql)(head))
  const logIn = (login: string, password: string) =>
    send({ target: '/login', json: { login, password } })
  return {
    access,
    send,
    logIn,
    /** The header of a token. */
    bearer: async (login: string, password: string) => bearerOf(await logIn(login, password)),
    run: (query: string, headers: Fields = {}) => send({ json: { query }, headers }),
  }
}

/** Sends requests from one address, without a socket. */
export function clientOf(handler: Handler<IncomingMessage>) {
  const client = testClient(handler)
  const raw = { socket: { remoteAddress: '127.0.0.1' } }
  return (request: TestRequest) => client({ raw, ...request })
}

/** Makes a key in the store. */
export async function addKey(
  { keys }: Store,
  name: string,
  scopes: readonly Scope[] = ['read', 'write'],
  limit: number | null = null,
): Promise<string> {
  const key = makeApiKey()
  await keys.create({ name, hash: hashApiKey(key), scopes, limit })
  return key
}

/** Makes a login in the store. */
export async function addLogin(
  { logins }: Store,
  login: string,
  password: string,
  scopes: readonly Scope[] = ['write'],
): Promise<void> {
  const passwordHash = await createPasswords().hash(password)
  await logins.create({ login, passwordHash, scopes })
}

/** The header of the token of an answer to a login. */
export function bearerOf(answer: TestResponse) {
  return { Authorization: `Bearer ${answer.json<{ readonly token: string }>().token}` }
}

/** The code of the first error of a GraphQL answer. */
export function codeOf(answer: TestResponse): unknown {
  return answer.json<Json>().errors?.[0]?.extensions?.code
}

/** One field of the data. */
export function dataOf(answer: TestResponse, name: string): unknown {
  return answer.json<Json>().data?.[name]
}
