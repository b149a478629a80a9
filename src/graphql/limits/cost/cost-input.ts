import type { JsonObject } from '../../../base/json.js'
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { Fragments } from '../../js/fragments.js'

/** Settings of the cost computation. */
export interface CostSettings {
  /** The arguments that set the size of a list. */
  readonly costSizeArguments: readonly string[]
  /** The assumed size of a list without any other information. */
  readonly costListSize: number
  /** The maximum assumed size of a list, whatever an argument requests. */
  readonly costMaxListSize: number
}

/** A valid operation, with the variables as sent. */
export interface CostInput {
  readonly schema: GraphQLSchema
  readonly fragments: Fragments
  readonly definition: OperationDefinitionNode
  readonly variables: JsonObject | undefined
}
