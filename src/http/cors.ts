import { andThen } from '../base/promise.js'
import { fieldValue, type HeaderList, type MaybePromise, type RequestHead } from './message.js'
import { checkReturned, listOf, objectOf, required, wordOr, type Shape } from '../shapes/shape.js'
import { aBoolean, aFunction, headerNames, wholeNumberFrom } from '../shapes/shapes.js'

/** Access for web pages of other origins, as defined by the Fetch standard. */
export interface CorsOptions {
  /**
   * Origins such as 'https://example.com', 'https://*.example.com' for each of its subdomains, or an expression that matches the
   * whole origin; '*' for all of them; or a function that decides for each request with an Origin.
   */
  readonly origins: readonly (string | RegExp)[] | '*' | OriginFunction
  /** Whether to allow requests with cookies; not possible with '*'. Default: false. */
  readonly credentials?: boolean | undefined
  /** Header fields that pages may send. Default: those that the preflight asks for. */
  readonly allowedHeaders?: readonly string[] | undefined
  /** Response header fields that pages may read, in addition to the safelisted ones. Default: none. */
  readonly exposedHeaders?: readonly string[] | undefined
  /** How long browsers may cache a preflight, in seconds. Default: 600. */
  readonly maxAge?: number | undefined
}

/** Whether a page of the origin may use the endpoint. */
type OriginFunction = (origin: string, head: RequestHead) => boolean | PromiseLike<boolean>

/**
 * As browsers send it: no path, no trailing slash, lower case, no default port; others would never match. The first label may be
 * a star.
 */
const serializedOrigin =
  /^(?!http:.*:80$|https:.*:443$)[a-z][a-z\d+.-]*:\/\/(?:\*\.(?=[^.]+\.[^.]))?[^\s/?#A-Z,*@\\]+$/

const anOrigin: Shape = {
  expected: 'an origin such as "https://example.com", or a regular expression',
  fits: (value) =>
    value instanceof RegExp || (typeof value === 'string' && serializedOrigin.test(value)),
}

/** Combinations that browsers reject are mistakes too. */
export const corsShape: Shape = objectOf<CorsOptions>(
  '{ origins: [...] }',
  {
    origins: required(wordOr('*', orFunction(listOf('a list of origins', anOrigin)))),
    credentials: aBoolean,
    allowedHeaders: headerNames,
    exposedHeaders: headerNames,
    maxAge: wholeNumberFrom(0),
  },
  {
    findConflict: ({ origins, credentials }) =>
      credentials && origins === '*'
        ? 'cors.credentials requires a list of origins, but origins is "*".'
        : undefined,
  },
)

function orFunction(shape: Shape): Shape {
  return {
    expected: `${shape.expected}, or a function`,
    fits: (value) => aFunction.fits(value) || shape.fits(value),
    findInside: (value, path) =>
      aFunction.fits(value) ? undefined : shape.findInside?.(value, path),
  }
}

export interface Cors {
  /**
   * Asks the function of `origins`, once for a head, and before the members below: until then, no origin is allowed. Throws or
   * rejects if the function does. Undefined without a function.
   */
  readonly decide: ((head: RequestHead) => MaybePromise<void>) | undefined
  /** Whether a page of the origin may use the endpoint. */
  readonly allows: (origin: string, head: RequestHead) => boolean
  /** Whether the list has the origin, or the function has allowed it: `*` names none. */
  readonly names: (origin: string, head: RequestHead) => boolean
  /** Returns the CORS headers of the response to a request; undefined if CORS is off. */
  readonly headersFor: ((head: RequestHead) => HeaderList) | undefined
}

/** `methodsOf` returns the methods that a preflight may allow for a request. */
export function createCors(
  options: CorsOptions | undefined,
  methodsOf: (head: RequestHead) => string,
): Cors {
  if (options === undefined) {
    return { decide: undefined, allows: () => false, names: () => false, headersFor: undefined }
  }
  const { origins } = options
  const { decide, names } = typeof origins === 'function' ? askFunction(origins) : search(origins)
  const allows: Cors['allows'] = (origin, head) => origins === '*' || names(origin, head)
  const shared = sharedHeaders(options)
  const preflight = preflightHeaders(options)
  return {
    decide,
    allows,
    names,
    headersFor(head) {
      const { method, headers } = head
      const origin = fieldValue(headers, 'origin')
      // A cache may serve the response to a request without Origin to a page: it must be the same for both,
      // or say that it depends on Origin (Fetch, "CORS protocol and HTTP caches").
      const vary = origins === '*' ? [] : ['Vary', 'Origin']
      const allowedOrigin = origins === '*' ? origins : origin
      if (allowedOrigin === undefined || !allows(allowedOrigin, head)) return vary
      const allowed = ['Access-Control-Allow-Origin', allowedOrigin, ...vary]
      const isPreflight =
        method === 'OPTIONS' &&
        origin !== undefined &&
        fieldValue(headers, 'access-control-request-method') !== undefined
      if (!isPreflight) return [...allowed, ...shared]
      return [...allowed, 'Access-Control-Allow-Methods', methodsOf(head), ...preflight(headers)]
    },
  }
}

/** The decision is kept for the head, since headers are added where nothing can wait or fail. */
function askFunction(ask: OriginFunction): Pick<Cors, 'decide' | 'names'> {
  const allowed = new WeakSet<RequestHead>()
  return {
    decide(head) {
      const origin = fieldValue(head.headers, 'origin')
      if (origin === undefined) return undefined
      return andThen(ask(origin, head), (answer: unknown) => {
        checkReturned('cors.origins', answer, required(aBoolean))
        if (answer === true) allowed.add(head)
      })
    },
    names: (_origin, head) => allowed.has(head),
  }
}

/** Looks in a list. A pattern matches the whole origin: a part would let `https://example.com.evil.example` in. */
function search(origins: readonly (string | RegExp)[] | '*'): Pick<Cors, 'decide' | 'names'> {
  if (origins === '*') return { decide: undefined, names: () => false }
  const patterns = origins.filter((one) => one instanceof RegExp || one.includes('*'))
  const exact = new Set(origins.filter((one) => !patterns.includes(one)))
  const expressions = patterns.map((one) =>
    one instanceof RegExp
      ? new RegExp(`^(?:${one.source})$`, one.flags.replaceAll(/[gy]/g, ''))
      : new RegExp(`^${escapeForRegExp(one).replace('\\*', '[^./:@*]+')}$`),
  )
  const names = (origin: string): boolean =>
    exact.has(origin) || expressions.some((one) => one.test(origin))
  return { decide: undefined, names }
}

function escapeForRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

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
  const fixed = [...credentialLines(options), 'Access-Control-Max-Age', String(maxAge)]
  if (allowedHeaders !== undefined) {
    return () => [...fixed, 'Access-Control-Allow-Headers', allowedHeaders.join(', ')]
  }
  return (headers) => {
    const requestedHeaders = fieldValue(headers, 'access-control-request-headers')
    const echo =
      requestedHeaders === undefined ? [] : ['Access-Control-Allow-Headers', requestedHeaders]
    return [...fixed, ...echo, 'Vary', 'Access-Control-Request-Headers']
  }
}
