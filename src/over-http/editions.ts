import type { RequestErrorKind } from '../graphql/errors/request-error.js'

/** The media types of responses. */
export type ResponseType = 'application/graphql-response+json' | 'application/json'

/** The supported editions: the official one of September 2026, and a draft of May 2025 for older clients. */
export type EditionName = '2026-09' | '2025-05'

/** Other names: that of the release, and the draft of August 2026, which has the rules of the release. */
export type EditionAlias = 'september2026' | '2026-08'

/** What differs between editions of the specification, as data. */
export interface Edition {
  readonly name: EditionName
  /** The type if a client has no preference. */
  readonly defaultType: ResponseType
  /** The type of 4xx and 5xx for a client that accepts only application/json. */
  readonly legacyFailureType: ResponseType
  /** The status of a request error, by negotiated type. */
  readonly requestError: {
    readonly [type in ResponseType]: { readonly [kind in RequestErrorKind]: number }
  }
  /** The status of a response with both `data` and `errors`, by negotiated type. */
  readonly partial: { readonly [type in ResponseType]: 200 | 294 }
  /** The status of a request that is not well-formed. */
  readonly malformed: number
}

const statuses2026 = {
  syntax: 400,
  validation: 422,
  operation: 422,
  variables: 422,
  source: 422,
} as const

const edition202609: Edition = {
  name: '2026-09',
  defaultType: 'application/graphql-response+json',
  legacyFailureType: 'application/graphql-response+json',
  requestError: {
    'application/graphql-response+json': statuses2026,
    'application/json': statuses2026,
  },
  partial: { 'application/graphql-response+json': 294, 'application/json': 200 },
  malformed: 422,
}

const statuses2025 = {
  syntax: 400,
  validation: 400,
  operation: 400,
  variables: 400,
  source: 400,
} as const

const edition202505: Edition = {
  name: '2025-05',
  defaultType: 'application/json',
  legacyFailureType: 'application/json',
  requestError: {
    'application/graphql-response+json': statuses2025,
    // The section "application/json" of that edition: 200 for every well-formed request.
    'application/json': {
      syntax: 200,
      validation: 200,
      operation: 200,
      variables: 200,
      source: 200,
    },
  },
  partial: { 'application/graphql-response+json': 200, 'application/json': 200 },
  malformed: 400,
}

/** Every edition by name. */
export const editions: { readonly [name in EditionName]: Edition } = {
  '2026-09': edition202609,
  '2025-05': edition202505,
}

export const editionNames: readonly EditionName[] = Object.keys(editions) as EditionName[]

/** The edition of a handler that does not name one, and of the problems of routes. */
export const defaultEdition: EditionName = '2026-09'

export const editionAliases: { readonly [alias in EditionAlias]: EditionName } = {
  september2026: '2026-09',
  '2026-08': '2026-09',
}

/** Finds an edition by name or alias; case-insensitive. */
export function findEdition(name: string): Edition | undefined {
  const key = name.toLowerCase()
  const canonical = Object.hasOwn(editionAliases, key) ? editionAliases[key as EditionAlias] : key
  return Object.hasOwn(editions, canonical) ? editions[canonical as EditionName] : undefined
}
