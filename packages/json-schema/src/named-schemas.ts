import type { GraphQLEnumType, GraphQLInputObjectType, GraphQLNamedType } from 'graphql'
import { defaultOf } from './default-value.js'
import { objectOf, ofShape, remarksOf, type JsonSchema, type Member } from './json-schema.js'
import { shapeOfType } from './type-shape.js'

export interface ScalarSchemas {
  readonly [name: string]: JsonSchema
}

/** The schemas of named types; each is generated once, when it is first referenced. */
export class NamedSchemas {
  readonly #scalars: ReadonlyMap<string, JsonSchema>
  readonly #place: string
  readonly #found = new Map<string, JsonSchema>()

  /** References lead to `place`, such as '#/$defs/'. */
  constructor(scalars: ScalarSchemas, place: string) {
    this.#scalars = new Map(Object.entries(scalars))
    this.#place = place
  }

  /** The schema of a scalar, an enum or an input object, or a reference to it. */
  readonly of = (type: GraphQLNamedType): JsonSchema => {
    const plain =
      this.#scalars.get(type.name) === undefined ? plainSchemas.get(type.name) : undefined
    if (plain !== undefined) return plain
    if (!this.#found.has(type.name)) {
      // Input objects can be recursive.
      this.#found.set(type.name, {})
      this.#found.set(type.name, this.#describe(type))
    }
    return { $ref: `${this.#place}${type.name}` }
  }

  membersOf(type: GraphQLInputObjectType): readonly Member[] {
    return Object.values(type.getFields()).map((field) => {
      const shape = shapeOfType(field.type)
      const byDefault = defaultOf(field)
      return {
        name: field.name,
        schema: {
          ...ofShape(type.isOneOf ? { ...shape, nullable: false } : shape, this.of),
          ...remarksOf(field),
          ...byDefault,
        },
        required: !shape.nullable && !('default' in byDefault),
      }
    })
  }

  /** The schemas that were referenced, by name. */
  all(): { readonly [name: string]: JsonSchema } {
    const byName = [...this.#found].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(byName)
  }

  #describe(type: GraphQLNamedType): JsonSchema {
    if (isInputObject(type)) return objectOf(this.membersOf(type), closed(type))
    if (isEnum(type)) {
      const names = type.getValues().map(({ name }) => name)
      return { type: 'string', enum: names, ...remarksOf(type) }
    }
    return { ...remarksOf(type), ...this.#scalars.get(type.name) }
  }
}

export function isInputObject(type: GraphQLNamedType): type is GraphQLInputObjectType {
  return type[Symbol.toStringTag] === 'GraphQLInputObjectType'
}

function isEnum(type: GraphQLNamedType): type is GraphQLEnumType {
  return type[Symbol.toStringTag] === 'GraphQLEnumType'
}

function closed(type: GraphQLInputObjectType): JsonSchema {
  return {
    ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }),
    additionalProperties: false,
    ...remarksOf(type),
  }
}

/** The scalars of the GraphQL specification, section 3.5. */
const plainSchemas: ReadonlyMap<string, JsonSchema> = new Map([
  ['Int', { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
  ['Float', { type: 'number' }],
  ['String', { type: 'string' }],
  ['Boolean', { type: 'boolean' }],
  ['ID', { type: 'string' }],
])
