import type { OperationDefinitionNode } from 'graphql'
import type { JsonObject } from '../../base/json.js'

/** The parameters of a well-formed GraphQL-over-HTTP request; absent ones are undefined. */
export interface GraphQLParams {
  /** The source text of the document; empty as long as a stored one is not found. */
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: JsonObject | undefined
  readonly extensions: JsonObject | undefined
  /** The id of the stored document that the request names, if it names one; Apollo's hash is `sha256:` and the hash. */
  readonly documentId?: string
}

/** What is kept of the parameters when the response is on its way: no `extensions`, and no variables but those that the operation declares. */
export function toKeptParams(
  params: GraphQLParams,
  { variableDefinitions = [] }: OperationDefinitionNode,
): GraphQLParams {
  const variables = params.variables ?? {}
  const names = variableDefinitions.map(({ variable }) => variable.name.value)
  const declared = names.filter((name) => Object.hasOwn(variables, name))
  return {
    ...params,
    variables: Object.fromEntries(declared.map((name) => [name, variables[name]])),
    extensions: undefined,
  }
}
