/** A JSON object: own string keys, JSON values. */
export interface JsonObject {
  readonly [name: string]: unknown
}

/** The parameters of a well-formed GraphQL-over-HTTP request; what was not given is undefined. */
export interface GraphQLParams {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: JsonObject | undefined
  readonly extensions: JsonObject | undefined
}
