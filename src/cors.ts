import { fieldValue, type HeaderList, type RequestHead } from './http/message.js'

/** Which web pages of other origins may use the endpoint, by the Fetch standard. */
export interface CorsOptions {
  /** Origins such as 'https://example.com', or '*' for all of them. */
  readonly origins: readonly string[] | '*'
  /** Whether requests may bring cookies; never with '*'. Default: false. */
  readonly credentials?: boolean
  /** The header fields that pages may send. Default: whatever a preflight asks for. */
  readonly allowedHeaders?: readonly string[]
  /** The header fields of answers that pages may read beside the usual ones. Default: none. */
  readonly exposedHeaders?: readonly string[]
  /** For how many seconds browsers may remember a preflight. Default: 600. */
  readonly maxAge?: number
}

/** What the engine asks about origins. */
export interface Cors {
  /** Whether a page of that origin may use the endpoint. */
  readonly allows: (origin: string) => boolean
  /** The header lines that CORS puts on the answer to a request; undefined where CORS is off. */
  readonly headersFor: ((head: RequestHead) => HeaderList) | undefined
}

/** Makes the answers to questions about origins; `methodsOf` says what may be sent where. A combination that browsers refuse throws here. */
export function createCors(
  options: CorsOptions | undefined,
  methodsOf: (head: RequestHead) => string,
): Cors {
  if (options === undefined) return { allows: () => false, headersFor: undefined }
  const { origins } = options
  checkOptions(options)
  const allows = (origin: string): boolean => origins === '*' || origins.includes(origin)
  const shared = sharedHeaders(options)
  const preflight = preflightHeaders(options)
  return {
    allows,
    headersFor(head) {
      const { method, headers } = head
      const origin = fieldValue(headers, 'origin')
      // Caches must know that an answer depends on Origin, also one to a request that has none.
      const vary = origins === '*' ? [] : ['Vary', 'Origin']
      if (origin === undefined || !allows(origin)) return vary
      const allowed = ['Access-Control-Allow-Origin', origins === '*' ? '*' : origin, ...vary]
      if (method !== 'OPTIONS') return [...allowed, ...shared]
      const asked = fieldValue(headers, 'access-control-request-method') !== undefined
      if (!asked) return [...allowed, ...shared]
      return [...allowed, 'Access-Control-Allow-Methods', methodsOf(head), ...preflight(headers)]
    },
  }
}

function checkOptions({ origins, credentials, maxAge = 0 }: CorsOptions): void {
  if (!(maxAge >= 0 && maxAge < Infinity)) {
    throw new TypeError(`cors: maxAge must be a number of seconds, not ${maxAge}.`)
  }
  if (origins === '*') {
    if (!credentials) return
    throw new TypeError('cors: credentials go with a list of origins, not with "*".')
  }
  const wrong = origins.find((origin) => !serializedOrigin.test(origin))
  if (wrong !== undefined) {
    throw new TypeError(
      `cors: expected origins such as "https://example.com", got ${JSON.stringify(wrong)}.`,
    )
  }
}

/** As browsers send it: no path, no slash at the end, no capitals, no usual port; a pattern would match nothing. */
const serializedOrigin = /^(?!http:.*:80$|https:.*:443$)[a-z][a-z\d+.-]*:\/\/[^\s/?#A-Z,*@\\]+$/

function credentialLines({ credentials = false }: CorsOptions): HeaderList {
  return credentials ? ['Access-Control-Allow-Credentials', 'true'] : []
}

function sharedHeaders(options: CorsOptions): HeaderList {
  const { exposedHeaders = [] } = options
  const exposed =
    exposedHeaders.length > 0 ? ['Access-Control-Expose-Headers', exposedHeaders.join(', ')] : []
  return [...credentialLines(options), ...exposed]
}

function preflightHeaders(options: CorsOptions): (headers: HeaderList) => HeaderList {
  const { allowedHeaders, maxAge = 600 } = options
  const fixed = [...credentialLines(options), 'Access-Control-Max-Age', String(Math.floor(maxAge))]
  if (allowedHeaders !== undefined) {
    return () => [...fixed, 'Access-Control-Allow-Headers', allowedHeaders.join(', ')]
  }
  return (headers) => {
    const asked = fieldValue(headers, 'access-control-request-headers')
    const echo = asked === undefined ? [] : ['Access-Control-Allow-Headers', asked]
    return [...fixed, ...echo, 'Vary', 'Access-Control-Request-Headers']
  }
}
