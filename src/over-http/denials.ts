import { retryAfter, secondsInWords, type RefusalRows } from './refusal-row.js'

/** The denials that `authenticate` and `admit` can return. */
export type Denial =
  | {
      readonly kind: 'unauthenticated'
      /** The `WWW-Authenticate` that RFC 9110 section 15.5.2 requires for a 401, such as `Bearer`. */
      readonly challenge: string
      readonly message?: string
      /** `extensions.code` of the error, or `code` of the problem. Default: 'UNAUTHENTICATED'. */
      readonly code?: string
    }
  | { readonly kind: 'forbidden'; readonly message?: string }
  | { readonly kind: 'rate-limited'; readonly retryAfter: number; readonly message?: string }
  | { readonly kind: 'unavailable'; readonly retryAfter: number; readonly message?: string }
  | {
      readonly kind: 'denied'
      readonly status: number
      readonly message?: string
      /** `extensions.code` of the error, or `code` of the problem. Default: 'DENIED'. */
      readonly code?: string
    }

export const denials: RefusalRows<Denial> = {
  unauthenticated: {
    status: 401,
    code: ({ code }) => code ?? 'UNAUTHENTICATED',
    message: ({ message }) => message ?? 'A valid credential is required.',
    headers: ({ challenge }) => ['WWW-Authenticate', challenge],
    doc: ['A valid credential is required.', 'See `WWW-Authenticate`.'],
  },
  forbidden: {
    status: 403,
    message: ({ message }) => message ?? 'This credential does not permit the request.',
    doc: ['The credential does not permit the request.', 'Use another credential.'],
  },
  'rate-limited': {
    status: 429,
    message: ({ message, retryAfter: seconds }) =>
      message ?? `Too many requests; retry in ${secondsInWords(seconds)}.`,
    headers: retryAfter,
    doc: ['The sender has exceeded its rate limit.', 'Retry after `Retry-After`.'],
  },
  unavailable: {
    status: 503,
    message: ({ message, retryAfter: seconds }) =>
      message ?? `The service is unavailable; retry in ${secondsInWords(seconds)}.`,
    headers: retryAfter,
    doc: ['A service that the server needs is unavailable.', 'Retry after `Retry-After`.'],
  },
  denied: {
    status: ({ status }) => status,
    code: ({ code }) => code ?? 'DENIED',
    message: ({ message }) => message ?? 'The request is denied.',
    doc: ['The application denies the request.', 'Ask the operator of the API.'],
  },
}
