import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { Costs } from '../limits/cost/cost.js'
import type { ValidDocument } from '../document/documents.js'
import type { GraphQLParams } from './params.js'

/** An operation ready for execution: a valid document of a schema and the operation selected in it. */
export interface Operation {
  readonly schema: GraphQLSchema
  readonly document: ValidDocument
  readonly definition: OperationDefinitionNode
  /** Replaced once a stream has started: `toKeptParams`. */
  params: GraphQLParams
  /** The cost with these variables. */
  readonly costs: Costs
  /** Whether it has @defer or @stream that are available and active with these variables. */
  readonly isIncremental: boolean
}
