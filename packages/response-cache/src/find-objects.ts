import type { FieldNode, GraphQLNamedType, GraphQLObjectType, SelectionSetNode } from 'graphql'
import type { OperationRequest } from 'graphwire'
import { isJsonObject, type JsonObject } from 'graphwire/base'
import { objectTypesOf, typeOfField } from './find-types.js'

/** The objects of a result. */
export interface FoundObjects {
  /** `Type:id` of each object with an id. */
  readonly ids: ReadonlySet<string>
  /** The types of objects without an id in the result, or beyond `maxIds`. */
  readonly withoutId: ReadonlySet<string>
}

/** The result in the body of a response; undefined if it is something else, such as the value of a route. */
export function readResult({ via }: OperationRequest, body: string): JsonObject | undefined {
  if (via === 'route' || via === 'tool' || via === 'surface') return undefined
  try {
    const json: unknown = JSON.parse(body)
    return isJsonObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** The objects in the body of a response; undefined if they cannot be found. */
export function findObjects(
  request: OperationRequest,
  body: string,
  idField: string,
): FoundObjects | undefined {
  const data = readResult(request, body)?.['data']
  const root = request.schema.getRootType(request.operation.operation)
  if (!isJsonObject(data) || root == null) return undefined
  const search = new ObjectSearch(request, idField)
  search.visitFields(data, request.operation.selectionSet, root)
  return search.isComplete ? search : undefined
}

/** Stores remember what mutations have changed: longer ids, which a client may have made up, count as unknown. */
const maxIdLength = 200

/** Redis answers no other client while it handles the ids of a response: 12,000 took 0.1 s. */
const maxIds = 500

class ObjectSearch implements FoundObjects {
  readonly ids = new Set<string>()
  readonly withoutId = new Set<string>()
  /** Whether each selected object was where the operation has it. */
  isComplete = true
  readonly #request: OperationRequest
  readonly #idField: string
  readonly #keys = new Map<SelectionSetNode, readonly string[]>()
  readonly #fields = new Map<SelectionSetNode, Map<GraphQLObjectType, readonly FieldNode[]>>()

  constructor(request: OperationRequest, idField: string) {
    this.#request = request
    this.#idField = idField
  }

  visitFields(object: JsonObject, selectionSet: SelectionSetNode, type: GraphQLObjectType): void {
    for (const field of this.#fieldsOf(selectionSet, type)) {
      if (field.selectionSet === undefined) continue
      const named = typeOfField(type, field.name.value)
      if (named !== undefined) this.#visit(object[keyOf(field)], field.selectionSet, named)
    }
  }

  #visit(value: unknown, selectionSet: SelectionSetNode, type: GraphQLNamedType): void {
    if (value === null) return
    if (Array.isArray(value)) {
      for (const item of value) if (this.isComplete) this.#visit(item, selectionSet, type)
    } else if (isJsonObject(value)) this.#visitObject(value, selectionSet, type)
    // Also if @skip has left it out: then all types count as without an id.
    else this.isComplete = false
  }

  #visitObject(object: JsonObject, selectionSet: SelectionSetNode, type: GraphQLNamedType): void {
    const { schema } = this.#request
    const types = objectTypesOf(type, schema)
    // For an interface, only `__typename` shows the type.
    const own = types.length === 1 ? types[0] : this.#typeOf(object, selectionSet, types)
    if (own === undefined) {
      this.isComplete = false
      return
    }
    const fields = this.#fieldsOf(selectionSet, own)
    const idField = fields.find(({ name }) => name.value === this.#idField)
    const id = idField && object[keyOf(idField)]
    const isKnown = typeof id === 'number' || (typeof id === 'string' && id.length <= maxIdLength)
    const tag = `${own.name}:${String(id)}`
    if (isKnown && (this.ids.size < maxIds || this.ids.has(tag))) this.ids.add(tag)
    else this.withoutId.add(own.name)
    this.visitFields(object, selectionSet, own)
  }

  #typeOf(
    object: JsonObject,
    selectionSet: SelectionSetNode,
    types: readonly GraphQLObjectType[],
  ): GraphQLObjectType | undefined {
    const key = this.#typenameKeys(selectionSet).find((one) => Object.hasOwn(object, one))
    return key === undefined ? undefined : types.find(({ name }) => name === object[key])
  }

  /** The keys that have `__typename` whatever the type is: for another type, a key may have a field that clients can set. */
  #typenameKeys(selectionSet: SelectionSetNode): readonly string[] {
    let keys = this.#keys.get(selectionSet)
    if (keys === undefined) {
      const byKey = [...this.#group(selectionSet, () => true)]
      keys = byKey.flatMap(([key, same]) => (same.every(isTypename) ? [key] : []))
      this.#keys.set(selectionSet, keys)
    }
    return keys
  }

  /** The fields that are selected of an object. */
  #fieldsOf(selectionSet: SelectionSetNode, type: GraphQLObjectType): readonly FieldNode[] {
    let byType = this.#fields.get(selectionSet)
    if (byType === undefined) this.#fields.set(selectionSet, (byType = new Map()))
    let fields = byType.get(type)
    if (fields === undefined) byType.set(type, (fields = this.#collect(selectionSet, type)))
    return fields
  }

  /** Merged, as in the result: a document may repeat a field, and what is below it, hundreds of times. */
  #collect(selectionSet: SelectionSetNode, type: GraphQLObjectType): readonly FieldNode[] {
    const { schema } = this.#request
    const byKey = this.#group(selectionSet, (condition) =>
      objectTypesOf(condition, schema).includes(type),
    )
    return [...byKey.values()].map(merge)
  }

  #group(
    selectionSet: SelectionSetNode,
    fits: (condition: GraphQLNamedType) => boolean,
  ): ReadonlyMap<string, readonly FieldNode[]> {
    const { schema, fragments } = this.#request
    const byKey = new Map<string, FieldNode[]>()
    const visited = new Set<string>()
    const collect = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        if (selection.kind === 'Field') {
          const same = byKey.get(keyOf(selection))
          if (same === undefined) byKey.set(keyOf(selection), [selection])
          else same.push(selection)
          continue
        }
        const isSpread = selection.kind === 'FragmentSpread'
        if (isSpread && visited.has(selection.name.value)) continue
        if (isSpread) visited.add(selection.name.value)
        const fragment = isSpread ? fragments.get(selection.name.value) : selection
        const condition =
          fragment?.typeCondition && schema.getType(fragment.typeCondition.name.value)
        const applies = condition === undefined || fits(condition)
        if (fragment !== undefined && applies) collect(fragment.selectionSet)
      }
    }
    collect(selectionSet)
    return byKey
  }
}

function merge(same: readonly FieldNode[]): FieldNode {
  const [field] = same as [FieldNode]
  if (same.length === 1 || field.selectionSet === undefined) return field
  const selections = same.flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
  return { ...field, selectionSet: { ...field.selectionSet, selections } }
}

function keyOf({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value
}

function isTypename({ name }: FieldNode): boolean {
  return name.value === '__typename'
}
