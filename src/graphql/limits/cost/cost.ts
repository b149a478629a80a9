import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { FieldCosts, type CostSettings } from './field-costs.js'
import { IntrospectionMeasure, type IntrospectedPaths } from './introspection-size.js'
import { OperationCost } from './operation-cost.js'
import { isObject, OperationInputs, type CostInput } from './operation-inputs.js'

/** The cost of an operation. */
export interface Costs {
  /** The cost of coercing the variables, which is part of the cost. */
  readonly coercion: number
  readonly cost: number
  /** The size of the introspection result, which is not part of the cost. */
  readonly introspectionSize: number
  /** Whether it has an active @defer or @stream. */
  readonly isIncremental: boolean
  /** Whether an active @stream has a negative `initialCount`. */
  readonly hasNegativeCount: boolean
}

/**
 * Computes the costs of operations. If nothing that counts comes from a variable, the cost of an operation
 * is computed once, and holds unless a variable is an object or a list.
 */
export class CostCounter {
  readonly #settings: CostSettings
  readonly #maxIntrospectionSize: number
  readonly #operations = new WeakMap<OperationDefinitionNode, Costs>()
  /** By schema, since schemas can share types but have different implementations of interfaces. */
  readonly #fields = new WeakMap<GraphQLSchema, FieldCosts>()
  readonly #paths = new WeakMap<GraphQLSchema, IntrospectedPaths>()

  constructor(settings: CostSettings, maxIntrospectionSize: number) {
    this.#settings = settings
    this.#maxIntrospectionSize = maxIntrospectionSize
  }

  count(input: CostInput): Costs {
    const { definition, variables } = input
    // Those that are not declared change nothing, and may be large.
    const isSimple = !definition.variableDefinitions?.some(({ variable }) =>
      isObject(variables?.[variable.name.value]),
    )
    const known = isSimple ? this.#operations.get(definition) : undefined
    if (known !== undefined) return known
    const inputs = this.#inputsOf(input)
    const introspection = new IntrospectionMeasure(inputs, this.#maxIntrospectionSize, this.#paths)
    const operation = new OperationCost(inputs, introspection)
    const coercion = inputs.costOfVariables()
    const cost = coercion + operation.total()
    const { introspectionSize, isIncremental, hasNegativeCount } = operation
    const costs = { coercion, cost, introspectionSize, isIncremental, hasNegativeCount }
    if (isSimple && !inputs.usesVariables) this.#operations.set(definition, costs)
    return costs
  }

  /** Only the cost of coercing the variables. */
  countCoercion(input: CostInput): number {
    return this.#inputsOf(input).costOfVariables()
  }

  #inputsOf(input: CostInput): OperationInputs {
    const { schema } = input
    let fields = this.#fields.get(schema)
    if (fields === undefined) {
      this.#fields.set(schema, (fields = new FieldCosts(schema, this.#settings)))
    }
    return new OperationInputs(input, fields)
  }
}
