import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql'
import type { GraphQLModule, ValidationRule } from './graphql.js'
import { mergeRules } from './merge-rules.js'

/** Validates a document against a schema; throws where the schema itself is not valid. */
export type Validate = (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[]

/** The options of graphql's own `validate()`. */
export interface ValidateOptions {
  readonly maxErrors?: number
  readonly hideSuggestions?: boolean
}

/** A `validate()` with fixed rules, which gives the same errors for less. */
export function createValidate(
  graphql: GraphQLModule,
  rules: readonly ValidationRule[],
  options: ValidateOptions,
): Validate {
  const merged = [mergeRules(graphql, rules)]
  return (schema, document) => graphql.validate(schema, document, merged, options)
}
