import { inWords } from '@graphwire/rate-limit'
import { createRestHandler, type Route } from '@graphwire/rest'
import { buildSchema, type Handler, type OperationRequest, type Options } from 'graphwire'
import type { Access } from './access/access.js'
import { faultOfPassword, faultOfText } from './access/passwords.js'
import { badInput, denied } from './schema/errors.js'
import { StoreUnavailable } from './store/store.js'

type LoginContext = Access['login'] & { readonly request: OperationRequest }

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

const challenge = 'Bearer realm="people"'

/** POST /login: exchanges a login and its password for a token. */
export function createLogin(
  parts: Access['login'],
  options: Pick<Options, 'cors' | 'onBug' | 'trustedProxies'>,
): Handler {
  return createRestHandler({
    schema: loginSchema,
    routes: loginRoutes,
    ...options,
    maxBodyBytes: 16_384,
    context: (request): LoginContext => ({ ...parts, request }),
    challenge,
  })
}

/** An unknown login takes as long as a known one, and gets the same response as a wrong password. */
async function logIn(_: unknown, args: Record<'login' | 'password', string>, parts: LoginContext) {
  const { login, password } = args
  checkCredentials(login, password)
  const { request, logins, passwords, tokens, throttle } = parts
  const refused = await throttle(login, request.client ?? 'local')
  if (refused !== undefined) {
    const { retryAfter, headers } = refused
    request.responseHeaders.assign(headers)
    const message = `Too many login attempts; retry in ${inWords(retryAfter)}.`
    throw denied({ kind: 'rate-limited', retryAfter, message })
  }
  try {
    const record = await logins.find(login)
    const isRight = await passwords.check(password, record?.passwordHash)
    if (isRight && record !== undefined) return await tokens.issue({ login, scopes: record.scopes })
  } catch (fault) {
    if (!(fault instanceof StoreUnavailable)) throw fault
    const message = 'Login is not available at the moment; retry in 1 second.'
    throw denied({ kind: 'unavailable', retryAfter: 1, message })
  }
  throw denied({
    kind: 'unauthenticated',
    challenge,
    message: 'The login or the password is wrong.',
  })
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
  if (errors.length > 0) throw badInput(errors)
}
