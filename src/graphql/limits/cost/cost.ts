import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { CostInput, CostSettings } from './cost-input.js'
import { Declarations } from './declarations.js'
import { IntrospectionSizes } from './introspection-size.js'
import { OperationCost } from './operation-cost.js'

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
 * never changes and is computed once.
 */
export class CostCounter {
  readonly #settings: CostSettings
  readonly #sizes: IntrospectionSizes
  readonly #operations = new WeakMap<OperationDefinitionNode, Costs>()
  /** By schema, since schemas can share types but have different implementations of interfaces. */
  readonly #declarations = new WeakMap<GraphQLSchema, Declarations>()

  constructor(settings: CostSettings, maxIntrospectionSize: number) {
    this.#settings = settings
    this.#sizes = new IntrospectionSizes(maxIntrospectionSize)
  }

  count(input: CostInput): Costs {
    const cached = this.#operations.get(input.definition)
    if (cached !== undefined) return cached
    const declarations = this.#declarationsOf(input.schema)
    const count = new OperationCost(input, this.#settings, declarations)
    const coercion = count.ofVariables()
    const cost = coercion + count.total()
    let introspectionSize = 0
    let { usesVariables } = count
    if (count.introspects) {
      const measure = this.#sizes.measure(input)
      introspectionSize = new OperationCost(input, this.#settings, declarations, measure).total()
      usesVariables ||= measure.usesVariables
    }
    const { isIncremental, hasNegativeCount } = count
    const costs = { coercion, cost, introspectionSize, isIncremental, hasNegativeCount }
    if (!usesVariables) this.#operations.set(input.definition, costs)
    return costs
  }

  /** Only the cost of coercing the variables. */
  countCoercion(input: CostInput): number {
    const declarations = this.#declarationsOf(input.schema)
    return new OperationCost(input, this.#settings, declarations).ofVariables()
  }

  #declarationsOf(schema: GraphQLSchema): Declarations {
    let declarations = this.#declarations.get(schema)
    if (declarations === undefined) {
      declarations = new Declarations(schema, this.#settings.costSizeArguments)
      this.#declarations.set(schema, declarations)
    }
    return declarations
  }
}
