import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { cutText } from '../../base/cut-text.js'
import { failure, success, type Outcome } from '../../base/outcome.js'
import type { Costs } from '../limits/cost/cost.js'
import type { ValidDocument } from '../document/documents.js'
import type { GraphQLParams } from './params.js'
import type { RequestError } from '../errors/request-error.js'

/** An operation ready for execution: a valid document of a schema and the operation selected in it. */
export interface Operation {
  readonly schema: GraphQLSchema
  readonly document: ValidDocument
  readonly definition: OperationDefinitionNode
  /** Replaced once a stream has started: `toStreamParams`. */
  params: GraphQLParams
  /** The cost with these variables. */
  readonly costs: Costs
  /** Whether it has @defer or @stream that are available and active with these variables. */
  readonly isIncremental: boolean
}

/** GetOperation() of the GraphQL specification, section 6.1. */
export function selectOperation(
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
