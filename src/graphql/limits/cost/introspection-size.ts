import type {
  FieldNode,
  GraphQLSchema,
  SelectionSetNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLResolveInfo,
} from 'graphql'
import type { CostInput } from './cost-input.js'
import { textWeight } from './coercion-cost.js'

/** Measures introspection for the schemas of a handler; the sizes of a schema are kept between operations. */
export class IntrospectionSizes {
  readonly #most: number
  readonly #schemas = new WeakMap<GraphQLSchema, IntrospectedSchema>()

  /** Counting stops beyond `most`. */
  constructor(most: number) {
    this.#most = most
  }

  /** Measures one operation. */
  measure(input: CostInput): IntrospectionMeasure {
    return new IntrospectionMeasure(input, this.#introspected(input.schema), this.#most)
  }

  #introspected(schema: GraphQLSchema): IntrospectedSchema {
    const cached = this.#schemas.get(schema)
    if (cached !== undefined && cached.items < maxKeptItems) return cached
    const introspected = new IntrospectedSchema(schema, this.#most)
    this.#schemas.set(schema, introspected)
    return introspected
  }
}

/** At 8 bytes each; the standard query reaches 100,000 in a schema of 2,000 types. */
const maxKeptItems = 500_000

/**
 * The size of the introspection result of an operation: 1 for each field, each list item, each 100
 * characters of text, and each 5 characters of a default value, by the real sizes of the schema. Deprecated
 * and skipped parts count too.
 */
export class IntrospectionMeasure {
  /** Whether a variable named a type. */
  usesVariables = false
  /** The size of all fields so far. */
  #total = 0
  readonly #input: CostInput
  readonly #introspected: IntrospectedSchema
  readonly #most: number
  /** Each fragment is measured once per path; otherwise nested spreads would take exponential time. */
  readonly #fragments = new Map<Reached, Map<string, number>>()

  constructor(input: CostInput, introspected: IntrospectedSchema, most: number) {
    this.#input = input
    this.#introspected = introspected
    this.#most = most
  }

  /** The size of `__schema` or `__type` with its selections; at least that if it is beyond the limit. */
  ofField(node: FieldNode): number {
    if (!node.selectionSet || this.#most === Infinity) return 1
    // Otherwise each of many aliases could take as much time as the limit allows.
    if (this.#total > this.#most) return this.#most + 1
    const size = this.#measure(node, node.selectionSet)
    this.#total += size
    return size
  }

  #measure(node: FieldNode, selectionSet: SelectionSetNode): number {
    if (node.name.value === '__schema') {
      return 1 + this.#ofSelections(selectionSet, this.#introspected, this.#introspected.root)
    }
    // Not shared between operations, since there are as many of these as types.
    const introspected = new IntrospectedSchema(this.#input.schema, this.#most)
    const type = introspected.typeNamed(this.#nameFor(node))
    return 1 + this.#ofSelections(selectionSet, introspected, type)
  }

  #nameFor(node: FieldNode): unknown {
    const value = node.arguments?.find(({ name }) => name.value === 'name')?.value
    if (value?.kind !== 'Variable') return value?.kind === 'StringValue' ? value.value : undefined
    this.usesVariables = true
    const { variables = {}, definition } = this.#input
    const name = value.name.value
    if (Object.hasOwn(variables, name)) return variables[name]
    const declared = definition.variableDefinitions?.find((one) => one.variable.name.value === name)
    const byDefault = declared?.defaultValue
    return byDefault?.kind === 'StringValue' ? byDefault.value : undefined
  }

  #ofSelections(
    { selections }: SelectionSetNode,
    introspected: IntrospectedSchema,
    reached: Reached,
  ): number {
    let size = 0
    if (reached.items.length === 0) return size
    for (const selection of selections) {
      // Beyond the limit the exact size does not matter, and could take long to compute.
      if (size > this.#most) return size
      if (selection.kind === 'FragmentSpread') {
        size += this.#ofFragment(selection.name.value, introspected, reached)
      } else if (selection.kind === 'InlineFragment') {
        size += this.#ofSelections(selection.selectionSet, introspected, reached)
      } else {
        const field = introspected.field(reached, selection.name.value)
        size += field.size
        // The alias is repeated for each object.
        size += textWeight(selection.alias?.value ?? '') * reached.items.length
        if (selection.selectionSet && field.reached && size <= this.#most) {
          size += this.#ofSelections(selection.selectionSet, introspected, field.reached)
        }
      }
    }
    return size
  }

  #ofFragment(name: string, introspected: IntrospectedSchema, reached: Reached): number {
    let sizes = this.#fragments.get(reached)
    if (sizes === undefined) this.#fragments.set(reached, (sizes = new Map()))
    const cached = sizes.get(name)
    if (cached !== undefined) return cached
    const fragment = this.#input.fragments.get(name)
    const size = fragment ? this.#ofSelections(fragment.selectionSet, introspected, reached) : 0
    sizes.set(name, size)
    return size
  }
}

/** The objects that introspection reaches by a path of fields, with repetitions. */
interface Reached {
  /** For example `__Type`. */
  readonly type: GraphQLObjectType | undefined
  readonly items: readonly unknown[]
  /** The fields visited so far. */
  readonly fields: Map<string, FieldSize>
}

/** The size of a field over all objects of a path. */
interface FieldSize {
  readonly size: number
  /** The objects of the field; undefined if it has no subfields. */
  readonly reached: Reached | undefined
}

/**
 * The real sizes of introspection, computed by the resolvers of graphql-js itself, so that they are right
 * for both majors. A path is followed when it is first requested.
 */
class IntrospectedSchema {
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
    // Printing default values takes as long as it would in the response.
    const mostText = this.#most * charactersOfOne(name)
    // Kinds and booleans are short, and need no text to be built.
    if (isList || leadsOn || typeName === 'String') {
      for (const item of from.items) {
        const value = resolve(field, item, this.#schema)
        if (typeof value === 'string') text += value.length
        else if (isList && Array.isArray(value)) for (const one of value) reached.push(one)
        else if (value != null) reached.push(value)
        if (reached.length > this.#most || text > mostText) break
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
