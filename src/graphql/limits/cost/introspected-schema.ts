import type { GraphQLField, GraphQLObjectType, GraphQLResolveInfo, GraphQLSchema } from 'graphql'

/** The objects that introspection reaches by a path of fields, with repetitions. */
export interface Reached {
  /** For example `__Type`. */
  readonly type: GraphQLObjectType | undefined
  readonly items: readonly unknown[]
  /** The fields visited so far. */
  readonly fields: Map<string, FieldSize>
}

/** The size of a field over all objects of a path. */
export interface FieldSize {
  readonly size: number
  /** The objects of the field; undefined if it has no subfields. */
  readonly reached: Reached | undefined
}

/**
 * The real sizes of introspection, computed by the resolvers of graphql-js itself, so that they are right
 * for both majors. A path is followed when it is first requested.
 */
export class IntrospectedSchema {
  readonly root: Reached
  /** The number of objects of all paths. */
  items = 0
  readonly #schema: GraphQLSchema
  readonly #most: number

  /** Paths are truncated to `most` objects. */
  constructor(schema: GraphQLSchema, most: number) {
    this.#schema = schema
    this.#most = most
    this.root = this.#reach('__Schema', [schema])
  }

  typeNamed(name: unknown): Reached {
    const type = typeof name === 'string' ? this.#schema.getType(name) : undefined
    return this.#reach('__Type', type ? [type] : [])
  }

  field(from: Reached, name: string): FieldSize {
    let size = from.fields.get(name)
    if (size === undefined) {
      size = this.#follow(from, name)
      from.fields.set(name, size)
    }
    return size
  }

  #reach(typeName: string, items: readonly unknown[]): Reached {
    const type = this.#schema.getType(typeName) as GraphQLObjectType | undefined
    this.items += items.length
    return { type, items, fields: new Map() }
  }

  #follow(from: Reached, name: string): FieldSize {
    const count = from.items.length
    const field = from.type?.getFields()[name]
    // `__typename` is the same for all objects.
    if (field === undefined) return { size: count, reached: undefined }
    const type = String(field.type)
    const typeName = type.replaceAll(/[[\]!]/g, '')
    const isList = type.startsWith('[')
    const named = this.#schema.getType(typeName)
    const leadsOn = named !== undefined && 'getFields' in named
    const reached: unknown[] = []
    let text = 0
    // Kinds and booleans are short, and need no text to be built.
    if (isList || leadsOn || typeName === 'String') {
      for (const item of from.items) {
        const value = resolve(field, item, this.#schema)
        if (typeof value === 'string') text += value.length
        else if (isList && Array.isArray(value)) for (const one of value) reached.push(one)
        else if (value != null) reached.push(value)
        if (reached.length > this.#most) break
      }
    }
    const size = count + (isList ? reached.length : 0) + Math.floor(text / charactersOfOne(name))
    return { size, reached: leadsOn ? this.#reach(typeName, reached) : undefined }
  }
}

/**
 * How much text takes as long as a field: 0.4 us for 100 characters. But graphql-js prints default values
 * each time, at 0.2 us per character.
 */
function charactersOfOne(field: string): number {
  return field === 'defaultValue' ? 5 : 100
}

const everything = { includeDeprecated: true }

/** Resolves a field of introspection; errors are left to execution. */
function resolve(
  field: GraphQLField<unknown, unknown>,
  item: unknown,
  schema: GraphQLSchema,
): unknown {
  try {
    return field.resolve?.(item, everything, undefined, { schema } as GraphQLResolveInfo)
  } catch {
    return undefined
  }
}
