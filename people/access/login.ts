import type { IncomingMessage } from 'node:http'
import {
  fieldValue,
  readBody,
  type CorsOptions,
  type Handler,
  type HttpResponse,
  type ParsedJson,
  type RequestHead,
} from 'graphwire'
import { createCors, parseMediaType } from 'graphwire/http'
import { StoreUnavailable, type LoginStore } from '../store/store.js'
import type { AddressReader } from 'graphwire'
import { loginResponses } from './login-responses.js'
import { maxBodyBytes, readLoginBody, type Credentials } from './login-body.js'
import type { Throttle } from './login-throttle.js'
import type { Passwords } from './passwords.js'
import type { Tokens } from './tokens.js'

/** The dependencies of the login. */
export interface LoginParts {
  readonly logins: Pick<LoginStore, 'find'>
  readonly passwords: Pick<Passwords, 'check'>
  readonly tokens: Pick<Tokens, 'issue'>
  readonly throttle: Throttle
  readonly readAddress: AddressReader
  readonly cors: CorsOptions | undefined
}

/** POST /login: exchanges a login and its password for a token. */
export function createLogin(parts: LoginParts): Handler<IncomingMessage> {
  const { headersFor } = createCors(parts.cors, () => 'POST')
  return async (request) => {
    const head = request
    const share = (response: HttpResponse): HttpResponse =>
      headersFor === undefined
        ? response
        : { ...response, headers: [...response.headers, ...headersFor(head)] }
    if (head.method === 'OPTIONS') return share(loginResponses.methods())
    const refused = checkHead(head)
    if (refused !== undefined) return share(refused)
    const body = await readBody(request, maxBodyBytes)
    if ('refused' in body) return share(body.refused)
    return share(await respond(body, parts.readAddress(head) ?? 'local', parts))
  }
}

/** Checks the method, and what the head says about the body, before any of it is read. */
function checkHead({ method, headers }: RequestHead): HttpResponse | undefined {
  if (method !== 'POST') return loginResponses.methodNotAllowed(method)
  const coding = fieldValue(headers, 'content-encoding')?.trim().toLowerCase()
  if (coding !== undefined && coding !== '' && coding !== 'identity') {
    return loginResponses.unsupportedEncoding()
  }
  const type = parseMediaType(fieldValue(headers, 'content-type') ?? '')
  if (type?.type !== 'application' || type.subtype !== 'json') {
    return loginResponses.unsupportedMediaType()
  }
  if (type.parameters.some(([name, value]) => name === 'charset' && !/^utf-8$/i.test(value))) {
    return loginResponses.unsupportedCharset()
  }
  const length = Number(fieldValue(headers, 'content-length') ?? 0)
  return length > maxBodyBytes ? loginResponses.refuseBody({ kind: 'body-too-large' }) : undefined
}

async function respond(
  body: Uint8Array | ParsedJson,
  address: string,
  parts: LoginParts,
): Promise<HttpResponse> {
  const credentials = readLoginBody(body)
  if (!credentials.ok) return loginResponses.refuseBody(credentials.reason)
  const throttled = await parts.throttle(credentials.value.login, address)
  if (throttled !== undefined) return throttled
  try {
    return await logIn(credentials.value, parts)
  } catch (fault) {
    if (fault instanceof StoreUnavailable) return loginResponses.unavailable()
    throw fault
  }
}

/** An unknown login costs what a known one does, and gets the same response as a wrong password. */
async function logIn(
  { login, password }: Credentials,
  { logins, passwords, tokens }: LoginParts,
): Promise<HttpResponse> {
  const record = await logins.find(login)
  const checked = await passwords.check(password, record?.passwordHash)
  if (!checked.ok) return loginResponses.unavailable()
  if (!checked.value || record === undefined) return loginResponses.wrong()
  return loginResponses.token(await tokens.issue({ login, scopes: record.scopes }))
}

const text = { type: 'string' } as const

/** POST /login in the API description; it is not a route, so nothing else describes it. */
export const loginPath = {
  post: {
    operationId: 'login',
    summary: 'Log in',
    tags: ['access'],
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['login', 'password'],
            additionalProperties: false,
            properties: { login: text, password: text },
          },
        },
      },
    },
    responses: {
      200: {
        description: 'A token for the header `Authorization: Bearer`.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['token', 'expiresAt'],
              properties: { token: text, expiresAt: { ...text, format: 'date-time' } },
            },
          },
        },
      },
      ...Object.fromEntries(
        Object.entries({
          400: 'The body is malformed.',
          401: 'The login or the password is wrong.',
          413: 'The body is too large.',
          415: 'The Content-Type or charset is not supported.',
          422: 'A member is missing or invalid.',
          429: 'Too many attempts; retry after the seconds in Retry-After.',
          503: 'Too many attempts at once, or the database is unavailable.',
        }).map(([status, description]) => [
          status,
          {
            description,
            content: {
              'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
            },
          },
        ]),
      ),
    },
  },
} as const
