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

/** The parameters without variables that the operation does not declare: nothing reads those, and they can be large. */
export function toDeclared(
  params: GraphQLParams,
  { variableDefinitions = [] }: OperationDefinitionNode,
): GraphQLParams {
  const { variables } = params
  if (variables === undefined) return params
  const isDeclared = (name: string): boolean =>
    variableDefinitions.some(({ variable }) => variable.name.value === name)
  if (Object.keys(variables).every(isDeclared)) return params
  const declared = Object.entries(variables).filter(([name]) => isDeclared(name))
  return { ...params, variables: Object.fromEntries(declared) }
}

/** What is kept of the parameters when the response is on its way, and nothing needs the rest. */
export function withoutExtensions(params: GraphQLParams): GraphQLParams {
  return { ...params, extensions: undefined }
}
