import type { RequestErrorKind } from '../graphql/errors/request-error.js'
import type { HeaderList } from '../http/message.js'
import { forClientOnly } from '../http/storing.js'
import type { Edition, EditionName } from './editions.js'

/** A media type of whole responses, and what the editions say of it. To add one, add a value to the list below. */
export interface ResponseType {
  readonly name: string
  /** Begins its entity tags: two types can have the same body, and a strong tag is of one of them. */
  readonly tag: string
  readonly headers: { readonly [caching in Caching]: HeaderList }
  readonly rules: { readonly [edition in EditionName]: TypeRules }
}

interface TypeRules {
  /** Whether clients without a preference get this type. */
  readonly isDefault?: true
  /** The type of a 4xx or 5xx, if the client does not refuse it; by default this one. */
  readonly failure?: ResponseType
  /** The status of a request error. */
  readonly requestError: { readonly [kind in RequestErrorKind]: number }
  /** The status of a response with both `data` and `errors`. */
  readonly partial: 200 | 294
}

/**
 * The instructions for caches. A response to POST needs none: it is stored only with an explicit lifetime (RFC
 * 9110 section 9.3.3). For responses to GET and QUERY caches may assume a lifetime, hence `no-cache`.
 */
export type Caching = 'unsaid' | 'no-cache' | typeof forClientOnly | 'no-store'

const statuses2026 = { syntax: 400, validation: 422, operation: 422, variables: 422, source: 422 }
const statuses2025 = { syntax: 400, validation: 400, operation: 400, variables: 400, source: 400 }
const alwaysOk = { syntax: 200, validation: 200, operation: 200, variables: 200, source: 200 }

/** The type of the specification, and of results outside of HTTP responses. */
export const graphqlResponse: ResponseType = {
  name: 'application/graphql-response+json',
  tag: 'graphql',
  headers: headersOf('application/graphql-response+json'),
  rules: {
    '2026-09': { isDefault: true, requestError: statuses2026, partial: 294 },
    '2025-05': { requestError: statuses2025, partial: 200 },
  },
}

const json: ResponseType = {
  name: 'application/json',
  tag: 'json',
  headers: headersOf('application/json'),
  rules: {
    '2026-09': { requestError: statuses2026, partial: 200, failure: graphqlResponse },
    // The section "application/json" of that edition: 200 for every well-formed request.
    '2025-05': { isDefault: true, requestError: alwaysOk, partial: 200 },
  },
}

/** Of those that a client accepts alike, the default of the edition is chosen, then the first. */
export const responseTypes: readonly ResponseType[] = [graphqlResponse, json]

/** The status of a response with both `data` and `errors`. */
export function partialStatus({ rules }: ResponseType, { name, partial }: Edition): number {
  return partial ?? rules[name].partial
}

function headersOf(type: string): ResponseType['headers'] {
  const contentType = `${type}; charset=utf-8`
  return {
    unsaid: negotiatedHeaders(contentType),
    'no-cache': negotiatedHeaders(contentType, 'Cache-Control', 'no-cache'),
    [forClientOnly]: negotiatedHeaders(contentType, 'Cache-Control', forClientOnly),
    'no-store': negotiatedHeaders(contentType, 'Cache-Control', 'no-store'),
  }
}

/** The headers of a response; made once, and frozen, since most responses need no others and share them. */
export function negotiatedHeaders(contentType: string, ...more: readonly string[]): HeaderList {
  const negotiated = ['Content-Type', contentType, 'Vary', 'Accept']
  return Object.freeze([...negotiated, 'X-Content-Type-Options', 'nosniff', ...more])
}
