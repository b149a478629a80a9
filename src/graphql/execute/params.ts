import type { JsonObject } from '../../base/json.js'

/** The parameters of a well-formed GraphQL-over-HTTP request; absent ones are undefined. */
export interface GraphQLParams {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: JsonObject | undefined
  readonly extensions: JsonObject | undefined
}
