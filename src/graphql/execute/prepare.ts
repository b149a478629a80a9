import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { cutText } from '../../base/cut-text.js'
import { failure, success, type Outcome } from '../../base/outcome.js'
import type { CostCounter, Costs } from '../limits/cost/cost.js'
import type { Documents, ValidDocument } from '../document/documents.js'
import type { GraphQLParams } from './params.js'
import type { RequestError } from '../errors/request-error.js'

/** An operation ready for execution: a valid document of a schema and the operation selected in it. */
export interface Operation {
  readonly schema: GraphQLSchema
  readonly document: ValidDocument
  readonly definition: OperationDefinitionNode
  readonly params: GraphQLParams
  /** The cost with these variables. */
  readonly costs: Costs
}

/** Finds the document, parses and validates it if it is new, and selects the operation. */
export function prepare(
  documents: Documents,
  costs: CostCounter,
  schema: GraphQLSchema,
  params: GraphQLParams,
  request: unknown,
): Outcome<Operation, RequestError> {
  const document = documents.find(schema, params.query, request)
  if (!document.ok) return document
  const selected = selectOperation(document.value.operations, params.operationName)
  if (!selected.ok) return selected
  return success(toOperation(costs, schema, document.value, selected.value, params))
}

/** Selects the operation of a document that is already valid. */
export function toOperation(
  costs: CostCounter,
  schema: GraphQLSchema,
  document: ValidDocument,
  definition: OperationDefinitionNode,
  params: GraphQLParams,
): Operation {
  const { fragments } = document
  const input = { schema, fragments, definition, variables: params.variables }
  return { schema, document, definition, params, costs: costs.count(input) }
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
