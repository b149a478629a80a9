import type {
  FieldNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLResolveInfo,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql'
import { remember } from '../../../base/remember.js'
import type { OperationInputs } from './operation-inputs.js'

/** The objects that introspection reaches by a path of fields, with repetitions. */
interface Reached {
  /** For example `__Type`. */
  readonly type: GraphQLObjectType
  readonly items: readonly unknown[]
  /** The fields visited so far. */
  readonly fields: Map<string, FieldSize>
}

/** The paths of a schema, kept between operations. */
export interface IntrospectedPaths {
  readonly root: Reached
  /** The number of objects of all paths. */
  items: number
}

/** At 8 bytes each; the standard query reaches 100,000 in a schema of 2,000 types. */
const maxKeptItems = 500_000

/** The size of a field over all objects of a path. */
interface FieldSize {
  readonly size: number
  /** The objects of the field; undefined if it has no subfields. */
  readonly reached: Reached | undefined
}

/**
 * The size of the introspection result of an operation: 1 for each field, each list item, each 100
 * characters of text, and each 5 characters of a default value. It is computed by the resolvers of
 * graphql-js itself, so that it is right for both majors. Deprecated and skipped parts count too.
 */
export class IntrospectionMeasure {
  readonly #inputs: OperationInputs
  readonly #most: number
  readonly #schemas: WeakMap<GraphQLSchema, IntrospectedPaths>
  /** Each fragment is measured once per path; otherwise nested spreads would take exponential time. */
  readonly #fragments = new Map<Reached, Map<string, number>>()
  /** The size of all fields so far. */
  #total = 0

  /** Counting stops beyond `most`. */
  constructor(
    inputs: OperationInputs,
    most: number,
    schemas: WeakMap<GraphQLSchema, IntrospectedPaths>,
  ) {
    this.#inputs = inputs
    this.#most = most
    this.#schemas = schemas
  }

  /** The size of `__schema` or `__type` with its selections; at least that if it is beyond the limit. */
  ofField({ name, arguments: args = [], selectionSet }: FieldNode): number {
    if (!selectionSet || this.#most === Infinity) return 1
    // Otherwise each of many aliases could take as much time as the limit allows.
    if (this.#total > this.#most) return this.#most + 1
    const { schema } = this.#inputs.input
    const typeName = args[0] && String(this.#inputs.toJson(args[0].value))
    const type = typeName === undefined ? undefined : schema.getType(typeName)
    const reached =
      name.value === '__schema' ? this.#rootOf(schema) : reach(schema, '__Type', type ? [type] : [])
    const size = 1 + this.#ofSelections(selectionSet, reached)
    this.#total += size
    return size
  }

  #ofSelections({ selections }: SelectionSetNode, reached: Reached): number {
    let size = 0
    for (const selection of selections) {
      // Beyond the limit the exact size does not matter, and could take long to compute.
      if (size > this.#most) return size
      if (selection.kind === 'FragmentSpread') {
        size += this.#ofFragment(selection.name.value, reached)
      } else if (selection.kind === 'InlineFragment') {
        size += this.#ofSelections(selection.selectionSet, reached)
      } else {
        const field = this.#follow(reached, selection.name.value)
        // The alias is repeated for each object.
        const alias = Math.floor((selection.alias?.value.length ?? 0) / 100)
        size += field.size + alias * reached.items.length
        if (selection.selectionSet && field.reached && size <= this.#most) {
          size += this.#ofSelections(selection.selectionSet, field.reached)
        }
      }
    }
    return size
  }

  #ofFragment(name: string, reached: Reached): number {
    const sizes = remember(this.#fragments, reached, () => new Map<string, number>())
    return remember(sizes, name, () => {
      const fragment = this.#inputs.input.fragments.get(name)
      return fragment ? this.#ofSelections(fragment.selectionSet, reached) : 0
    })
  }

  #rootOf(schema: GraphQLSchema): Reached {
    let paths = this.#schemas.get(schema)
    if (paths === undefined || paths.items > maxKeptItems) {
      paths = { root: reach(schema, '__Schema', [schema]), items: 0 }
      this.#schemas.set(schema, paths)
    }
    return paths.root
  }

  #follow(from: Reached, name: string): FieldSize {
    return remember(from.fields, name, () => this.#measure(from, name))
  }

  #measure({ type: parent, items }: Reached, name: string): FieldSize {
    const field = parent.getFields()[name]
    // `__typename` is the same for all objects.
    if (field === undefined) return { size: items.length, reached: undefined }
    const { schema } = this.#inputs.input
    const type = String(field.type)
    const typeName = type.replaceAll(/[[\]!]/g, '')
    const isList = type.startsWith('[')
    const named = schema.getType(typeName)
    const leadsOn = named !== undefined && 'getFields' in named
    // graphql-js prints a default value each time, at 0.2 us per character; 100 characters of text take 0.4 us.
    const charactersOfOne = name === 'defaultValue' ? 5 : 100
    const reached: unknown[] = []
    let text = 0
    // Kinds and booleans are short, and need no text to be built.
    if (isList || leadsOn || typeName === 'String') {
      for (const item of items) {
        const value = resolve(field, item, { schema } as GraphQLResolveInfo)
        if (typeof value === 'string') text += value.length
        else if (isList && Array.isArray(value)) for (const one of value) reached.push(one)
        else if (value != null) reached.push(value)
        // Printing default values takes as long as it would in the response.
        if (reached.length > this.#most || text > this.#most * charactersOfOne) break
      }
    }
    const size = items.length + (isList ? reached.length : 0) + Math.floor(text / charactersOfOne)
    const paths = this.#schemas.get(schema)
    if (paths) paths.items += reached.length
    return { size, reached: leadsOn ? reach(schema, typeName, reached) : undefined }
  }
}

function reach(schema: GraphQLSchema, typeName: string, items: readonly unknown[]): Reached {
  return { type: schema.getType(typeName) as GraphQLObjectType, items, fields: new Map() }
}

const everything = { includeDeprecated: true }

/** Resolves a field of introspection; errors are left to execution. */
function resolve(
  field: GraphQLField<unknown, unknown>,
  item: unknown,
  info: GraphQLResolveInfo,
): unknown {
  try {
    return field.resolve?.(item, everything, undefined, info)
  } catch {
    return undefined
  }
}
