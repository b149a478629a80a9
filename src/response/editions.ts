import type { RequestErrorKind } from '../engine/request-error.js'

/** The media types that answers are labelled with. */
export type ResponseType = 'application/graphql-response+json' | 'application/json'

/** The names of the editions that the engine serves. */
export type EditionName = '2026-08' | '2025-05'

/** What differs between editions of the specification, as data; everything else is the same in all. */
export interface Edition {
  /** For a client that says nothing, or likes both types equally. */
  readonly defaultType: ResponseType
  /** The label of 4xx and 5xx for a client that accepts only application/json. */
  readonly legacyFailureType: ResponseType
  /** The status of a request that GraphQL refuses, by the type that was negotiated. */
  readonly requestError: {
    readonly [type in ResponseType]: { readonly [kind in RequestErrorKind]: number }
  }
  /** The status of `data` beside `errors`, by the type that was negotiated. */
  readonly partial: { readonly [type in ResponseType]: 200 | 294 }
  /** The status of a request that is not well-formed. */
  readonly malformed: number
}

const statuses2026 = {
  syntax: 400,
  validation: 422,
  operation: 422,
  variables: 422,
  subscription: 422,
} as const

const edition202608: Edition = {
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
  subscription: 400,
} as const

const edition202505: Edition = {
  defaultType: 'application/json',
  legacyFailureType: 'application/json',
  requestError: {
    'application/graphql-response+json': statuses2025,
    // The section "application/json" of that edition: 200 for every well-formed request. Subscriptions
    // are beyond its scope.
    'application/json': {
      ...statuses2025,
      syntax: 200,
      validation: 200,
      operation: 200,
      variables: 200,
    },
  },
  partial: { 'application/graphql-response+json': 200, 'application/json': 200 },
  malformed: 400,
}

/** Every edition by its name; the first is the default. */
export const editions: { readonly [name in EditionName]: Edition } = {
  '2026-08': edition202608,
  '2025-05': edition202505,
}
