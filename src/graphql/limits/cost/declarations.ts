import type { GraphQLField, GraphQLInterfaceType, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { CoercedFields } from './coercion-cost.js'
import { readFieldCost, type FieldCost } from './field-cost.js'

type Field = GraphQLField<unknown, unknown>

/** The declarations of a field: for an interface its own and the differing ones of its types, otherwise one. */
export type FieldCosts = readonly [FieldCost, ...(readonly FieldCost[])]

/** The costs of the fields of a schema, and the fields of its input objects, read when first needed. */
export class Declarations {
  readonly coercedFields: CoercedFields = new CoercedFields()
  readonly #schema: GraphQLSchema
  readonly #sizeArguments: readonly string[]
  readonly #fields = new WeakMap<Field, FieldCosts>()

  constructor(schema: GraphQLSchema, sizeArguments: readonly string[]) {
    this.#schema = schema
    this.#sizeArguments = sizeArguments
  }

  of(field: Field, parent: GraphQLObjectType | GraphQLInterfaceType): FieldCosts {
    let costs = this.#fields.get(field)
    if (costs === undefined) {
      costs = 'resolveType' in parent ? this.#ofInterface(field, parent) : [this.#read(field)]
      this.#fields.set(field, costs)
    }
    return costs
  }

  /**
   * Execution resolves the field of the object type, which may have its own defaults, arguments and
   * directives.
   */
  #ofInterface(field: Field, parent: GraphQLInterfaceType): FieldCosts {
    const own = this.#read(field)
    const others = new Map<string, FieldCost>()
    for (const type of this.#schema.getPossibleTypes(parent)) {
      const declared = type.getFields()[field.name]
      if (declared === undefined) continue
      // The type of the interface's field covers everything that those of the types can have.
      const cost = { ...this.#read(declared), typeName: own.typeName }
      others.set(keyOf(cost), cost)
    }
    others.delete(keyOf(own))
    return [own, ...others.values()]
  }

  #read(field: Field): FieldCost {
    return readFieldCost(field, this.#sizeArguments)
  }
}

/** Equal declarations have equal keys. */
function keyOf(cost: FieldCost): string {
  return JSON.stringify(cost, (_, value: unknown) => {
    // JSON cannot represent a BigInt, which a code-first schema may have as a default.
    if (typeof value === 'bigint') return String(value)
    return value instanceof Map ? [...value] : value
  })
}
