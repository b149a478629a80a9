import { problem, type HttpResponse } from 'graphwire'
import { maxBodyBytes, type BodyFault } from './login-body.js'
import { secondsInWords } from './rate-limits.js'
import type { Token } from './tokens.js'

interface HeaderValues {
  readonly [name: string]: string
}

const allow = { Allow: 'POST, OPTIONS' }

/** The responses of POST /login. */
export const loginResponses = {
  token: (token: Token): HttpResponse => ({
    status: 200,
    headers: [
      'Content-Type',
      'application/json; charset=utf-8',
      'Cache-Control',
      'no-store',
      'X-Content-Type-Options',
      'nosniff',
    ],
    body: JSON.stringify(token),
  }),
  methods: (): HttpResponse => ({
    status: 204,
    headers: ['Allow', allow.Allow, 'X-Content-Type-Options', 'nosniff'],
    body: '',
  }),
  methodNotAllowed: (method: string): HttpResponse =>
    refuse(
      405,
      'METHOD_NOT_ALLOWED',
      `The method ${JSON.stringify(method.slice(0, 100))} is not supported here: use POST.`,
      allow,
    ),
  unsupportedEncoding: (): HttpResponse =>
    refuse(
      415,
      'UNSUPPORTED_ENCODING',
      'Compressed bodies are not supported: omit Content-Encoding.',
      {
        'Accept-Encoding': 'identity',
      },
    ),
  unsupportedMediaType: (): HttpResponse =>
    refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json.', {
      Accept: 'application/json',
    }),
  unsupportedCharset: (): HttpResponse =>
    refuse(415, 'UNSUPPORTED_CHARSET', 'The body must be in UTF-8.', {
      Accept: 'application/json',
    }),
  refuseBody,
  wrong: (): HttpResponse =>
    refuse(401, 'UNAUTHENTICATED', 'The login or the password is wrong.', {
      'WWW-Authenticate': 'Bearer realm="people"',
    }),
  throttled: (retryAfter: number, headers: HeaderValues): HttpResponse =>
    refuse(
      429,
      'RATE_LIMITED',
      `Too many login attempts; retry in ${secondsInWords(retryAfter)}.`,
      {
        ...headers,
        'Retry-After': String(retryAfter),
      },
    ),
  unavailable: (): HttpResponse =>
    refuse(503, 'UNAVAILABLE', 'Login is not available at the moment; retry in 1 second.', {
      'Retry-After': '1',
    }),
}

function refuse(
  status: number,
  code: string,
  detail: string,
  headers?: HeaderValues,
): HttpResponse {
  return problem({ status, code, detail, headers })
}

function refuseBody(fault: BodyFault): HttpResponse {
  switch (fault.kind) {
    case 'body-too-large':
      return refuse(
        413,
        'BODY_TOO_LARGE',
        `The body is larger than the limit of ${maxBodyBytes} bytes.`,
      )
    case 'invalid-utf-8':
      return refuse(400, 'INVALID_UTF_8', 'The body is not well-formed UTF-8.')
    case 'invalid-json':
      return refuse(400, 'INVALID_JSON', 'The body is not valid JSON.')
    case 'invalid-values':
      return problem({
        status: 422,
        code: 'BAD_USER_INPUT',
        detail: fault.errors.map(({ detail }) => detail).join(' '),
        errors: fault.errors,
      })
  }
}
