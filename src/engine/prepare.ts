import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { cutText } from '../cut-text.js'
import { failure, success, type Outcome } from '../outcome.js'
import type { CostCounter } from './cost.js'
import type { Documents, ValidDocument } from './documents.js'
import type { GraphQLParams } from './params.js'
import type { RequestError } from './request-error.js'

/** What is going to be executed: a valid document of a schema and the operation selected in it. */
export interface Operation {
  readonly schema: GraphQLSchema
  readonly document: ValidDocument
  readonly definition: OperationDefinitionNode
  readonly params: GraphQLParams
  /** What it may cost with these variables. */
  readonly cost: number
}

/** Finds the document, parses and validates it when it is new, and selects the operation. */
export function prepare(
  documents: Documents,
  costs: CostCounter,
  schema: GraphQLSchema,
  params: GraphQLParams,
): Outcome<Operation, RequestError> {
  const document = documents.find(schema, params.query)
  if (!document.ok) return document
  const selected = selectOperation(document.value.operations, params.operationName)
  if (!selected.ok) return selected
  return success(toOperation(costs, schema, document.value, selected.value, params))
}

/** The operation of a document that is known to be valid, with the parameters of a request. */
export function toOperation(
  costs: CostCounter,
  schema: GraphQLSchema,
  document: ValidDocument,
  definition: OperationDefinitionNode,
  params: GraphQLParams,
): Operation {
  const { fragments } = document
  const cost = costs.count({ schema, fragments, definition, variables: params.variables })
  return { schema, document, definition, params, cost }
}

/** GetOperation() of the GraphQL specification, section 6.1. */
function selectOperation(
  operations: readonly OperationDefinitionNode[],
  name: string | undefined,
): Outcome<OperationDefinitionNode, RequestError> {
  const [only] = operations
  if (name !== undefined) {
    const named = operations.find((operation) => operation.name?.value === name)
    return named
      ? success(named)
      : undetermined(`Unknown operation named ${JSON.stringify(cutText(name, 100))}.`)
  }
  if (only === undefined) return undetermined('The document contains no operation.')
  if (operations.length === 1) return success(only)
  return undetermined(
    'The document contains several operations: operationName must name one of them.',
  )
}

function undetermined(message: string): Outcome<never, RequestError> {
  return failure({ kind: 'operation', errors: [{ message }] })
}
