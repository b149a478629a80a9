import type { GraphQLError } from 'graphql'

/** Why GraphQL itself says no before any resolver runs: the result has errors and no `data`. */
export interface RequestError {
  readonly kind: RequestErrorKind
  readonly errors: readonly (GraphQLError | PlainError)[]
}

/** The stages that can refuse, each with its own status. */
export type RequestErrorKind = 'syntax' | 'validation' | 'operation' | 'variables' | 'subscription'

/** An error of the engine's own, which has no place in the document. */
interface PlainError {
  readonly message: string
  /** With a code of its own where that of the stage says too little. */
  readonly extensions?: { readonly [name: string]: unknown }
}
