import type { TestRequest } from '../../src/hosts/testing.js'
import type { EditionName, Options } from '../../src/index.js'

/** One behaviour of the protocol: a request to the standard schema, and what comes back. */
export interface Row {
  /** What the row shows, as a sentence. */
  readonly title: string
  /** The statements of fixtures/statements that it tests; a break of one makes the row fail. */
  readonly statements: readonly string[]
  /** Default: '2026-09'. */
  readonly edition?: EditionName
  readonly options?: Partial<Options>
  readonly request: TestRequest
  readonly status: number
  /** The media type of the answer. Default: application/graphql-response+json. */
  readonly type?: undefined | 'application/json' | 'application/graphql-response+json' | null
  /** The value of `data`; undefined where there must be none. */
  readonly data?: unknown
  /** How many errors there are. Default: 1 without data, else 0. */
  readonly errors?: number
  /** `extensions.code` of the first error. */
  readonly code?: string
  readonly headers?: { readonly [name: string]: string | null }
  /** How often `increment` has run afterwards. Default: 0, since most rows must change nothing. */
  readonly increments?: number
}

export const graphqlResponse = 'application/graphql-response+json'
export const json = 'application/json'

/** A POST with parameters. */
export function post(
  params: unknown,
  headers: Record<string, string | readonly string[]> = {},
): TestRequest {
  return { json: params, headers }
}

/** A POST of bytes or text, its Content-Type given. */
export function raw(
  body: string | Uint8Array,
  contentType: string | undefined = json,
): TestRequest {
  return { body, headers: contentType === undefined ? {} : { 'Content-Type': contentType } }
}

/** A GET with parameters, each escaped. */
export function get(
  params: Record<string, string>,
  headers: Record<string, string> = {},
): TestRequest {
  const query = Object.entries(params).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return { method: 'GET', target: `/graphql?${query.join('&')}`, headers }
}
