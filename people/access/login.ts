import { GraphQLError } from 'graphql'
import { inWords } from '@graphwire/rate-limit'
import { createRestHandler, type Route } from '@graphwire/rest'
import {
  buildSchema,
  type AddressReader,
  type CorsOptions,
  type Handler,
  type OperationRequest,
  type Options,
} from 'graphwire'
import { StoreUnavailable } from '../store/store.js'
import type { LoginStore } from '../store/credential-stores.js'
import { faultOfPassword, faultOfText, type Passwords } from './passwords.js'
import type { Throttle } from './rate-limits.js'
import type { Tokens } from './tokens.js'

export interface LoginParts {
  readonly logins: Pick<LoginStore, 'find'>
  readonly passwords: Pick<Passwords, 'check'>
  readonly tokens: Pick<Tokens, 'issue'>
  readonly throttle: Throttle
  readonly readAddress: AddressReader
  readonly cors: CorsOptions | undefined
  readonly onBug?: Options['onBug'] | undefined
}

type LoginContext = LoginParts & { readonly request: OperationRequest }

/** A schema of its own: a login over /graphql would be repeated by aliases. */
export const loginSchema = buildSchema(
  `type Query { _: Boolean }
  type Mutation { login(login: String!, password: String!): Token! }
  type Token { token: String! "RFC 3339, UTC." expiresAt: String! }`,
  { Mutation: { login: logIn } },
  { fileName: 'login' },
)

export const loginRoutes: readonly Route<LoginContext>[] = [
  {
    method: 'POST',
    path: '/login',
    operation:
      'mutation Login($login: String!, $password: String!) { login(login: $login, password: $password) { token expiresAt } }',
    summary: 'Log in',
    description: 'Returns a token for the header `Authorization: Bearer`.',
    tags: ['access'],
  },
]

/** POST /login: exchanges a login and its password for a token. */
export function createLogin(parts: LoginParts): Handler {
  return createRestHandler({
    schema: loginSchema,
    routes: loginRoutes,
    cors: parts.cors,
    maxBodyBytes: 16_384,
    context: (request): LoginContext => ({ ...parts, request }),
    challenge: 'Bearer realm="people"',
    ...(parts.onBug && { onBug: parts.onBug }),
  })
}

/** An unknown login takes as long as a known one, and gets the same response as a wrong password. */
async function logIn(_: unknown, args: Record<'login' | 'password', string>, parts: LoginContext) {
  const { login, password } = args
  checkCredentials(login, password)
  const { request, logins, passwords, tokens, throttle, readAddress } = parts
  const refused = await throttle(login, readAddress(request.head) ?? 'local')
  if (refused !== undefined) {
    const { retryAfter } = refused
    request.responseHeaders.assign(refused.headers)
    const wait = inWords(retryAfter)
    throw failed('RATE_LIMITED', `Too many login attempts; retry in ${wait}.`, { retryAfter })
  }
  const record = await logins.find(login).catch(tellUnavailable)
  const isRight = await passwords.check(password, record?.passwordHash).catch(tellUnavailable)
  if (isRight && record !== undefined) return tokens.issue({ login, scopes: record.scopes })
  throw failed('UNAUTHENTICATED', 'The login or the password is wrong.')
}

function failed(code: string, message: string, more: object = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } })
}

function tellUnavailable(fault: unknown): never {
  if (!(fault instanceof StoreUnavailable)) throw fault
  const message = 'Login is not available at the moment; retry in 1 second.'
  throw failed('UNAVAILABLE', message, { retryAfter: 1 })
}

const maxLoginLength = 128

/** Throws an error that names all invalid members at once. */
function checkCredentials(login: string, password: string): void {
  const hasLength = login !== '' && login.length <= maxLoginLength
  const lengthFault = `The login must have 1 to ${maxLoginLength} characters.`
  const messages = {
    login: hasLength ? faultOfText('login', login) : lengthFault,
    password: faultOfPassword(password),
  }
  const errors = Object.entries(messages).flatMap(([name, message]) =>
    message === undefined ? [] : [{ path: [name], message }],
  )
  if (errors.length === 0) return
  const all = errors.map(({ message }) => message).join(' ')
  throw failed('BAD_USER_INPUT', all, { errors })
}
