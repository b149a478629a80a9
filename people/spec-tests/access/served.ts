import type { IncomingMessage } from 'node:http'
import { GraphQLError } from 'graphql'
import { buildSchema, createHandler } from 'graphwire'
import type { Handler, OperationRequest, Options } from 'graphwire'
import { testClient } from 'graphwire/testing'
import type { Test } from 'tap'
import { createAccess, type Access, type AccessOptions } from '../../access/access.js'
import { hashApiKey, makeApiKey } from '../../access/api-keys.js'
import { createPasswords } from '../../access/passwords.js'
import type { Principal } from '../../access/principal.js'
import type { Scope } from '../../store/credential-stores.js'
import type { Store } from '../../store/open-store.js'

type Request = OperationRequest<IncomingMessage, Principal>

export interface Sent {
  readonly method?: string
  readonly path?: string
  /** Flat, so that a line can come twice. */
  readonly headers?: readonly string[]
  readonly body?: string | Uint8Array
}

export interface Got {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly text: string
  /** The body as JSON. */
  readonly json: Readonly<Record<string, unknown>>
}

export type Served = Awaited<ReturnType<typeof serveAccess>>

/** Serves two fields at /graphql, and /login, behind access until the test ends. */
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
    cors: undefined,
    onFault: () => {},
    ...changes,
  })
  t.teardown(() => access.close())
  const graphql = createHandler<IncomingMessage, Principal>(optionsOf(access))
  const handler: Handler<IncomingMessage> = (head) =>
    head.target === '/login' ? access.login(head) : graphql(head)
  const exchange = (request: Sent = {}): Promise<Got> => sendTo(handler, request)
  const json = ['Content-Type', 'application/json']
  const logIn = (login: string, password: string): Promise<Got> =>
    exchange({ path: '/login', headers: json, body: JSON.stringify({ login, password }) })
  return {
    access,
    send: exchange,
    logIn,
    /** The header line of a token. */
    bearer: async (login: string, password: string) => bearerOf(await logIn(login, password)),
    /** Runs a document with these header lines. */
    run: (query: string, ...headers: string[]) =>
      exchange({ headers: [...json, ...headers], body: JSON.stringify({ query }) }),
  }
}

function optionsOf(access: Access): Options<IncomingMessage, Principal> {
  return {
    path: '/graphql',
    schema: buildSchema('type Query { who: String address: String } type Mutation { write: Int }', {
      Query: {
        who: (_: unknown, __: unknown, { principal }: Request) =>
          principal.key ?? principal.login ?? 'nobody',
        address: (_: unknown, __: unknown, { principal }: Request) => principal.address,
      },
      Mutation: {
        write: (_: unknown, __: unknown, { principal }: Request) => {
          const denial = access.requires(principal, 'write')
          if (denial === undefined) return 1
          throw new GraphQLError('No.', { extensions: { code: denial.kind } })
        },
      },
    }),
    authenticate: access.authenticate,
    admit: access.admit,
  }
}

const raw = { socket: { remoteAddress: '127.0.0.1' } }

/** Sends one request, without a socket. */
export async function sendTo(
  handler: Handler<IncomingMessage>,
  { method = 'POST', path: target = '/graphql', headers: lines = [], body = '' }: Sent,
): Promise<Got> {
  const headers: { [name: string]: string[] } = {
    'Content-Length': [String(Buffer.byteLength(body))],
  }
  for (let at = 0; at < lines.length; at += 2) {
    const values = (headers[lines[at] ?? ''] ??= [])
    values.push(lines[at + 1] ?? '')
  }
  const answer = await testClient(handler)({ method, target, headers, body, raw })
  const json = answer.body.startsWith('{') ? answer.json<Got['json']>() : {}
  const fields = Object.fromEntries(answer.headers)
  return { status: answer.status, headers: fields, text: answer.body, json }
}

/** Makes a key in the store. */
export async function addKey(
  { keys }: Store,
  name: string,
  scopes: readonly Scope[] = ['read', 'write'],
  limit: number | null = null,
): Promise<string> {
  const key = makeApiKey()
  const made = await keys.create({ name, hash: hashApiKey(key), scopes, limit })
  if (!made) throw new Error(`The key ${name} is there already.`)
  return key
}

/** Makes a login in the store. */
export async function addLogin(
  { logins }: Store,
  login: string,
  password: string,
  scopes: readonly Scope[] = ['write'],
): Promise<void> {
  const hash = await createPasswords().hash(password)
  await logins.create({ login, passwordHash: hash, scopes })
}

/** The header line of the token of an answer to a login. */
export function bearerOf({ json }: Got): string[] {
  return ['Authorization', `Bearer ${String(json['token'])}`]
}

/** The code of the first error of a GraphQL answer. */
export function codeOf({ json }: Got): unknown {
  const { errors } = json as { errors?: { extensions?: { code?: unknown } }[] }
  return errors?.[0]?.extensions?.code
}

/** One field of the data. */
export function dataOf({ json }: Got, name: string): unknown {
  return (json as { data?: Record<string, unknown> | null }).data?.[name]
}
