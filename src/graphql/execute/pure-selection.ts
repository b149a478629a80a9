import type {
  GraphQLFieldResolver,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql'
import type { Operation } from './operation.js'

/*
 * Many clients subscribe to the same events by the same operation. The result of an event is the same for all of
 * them if nothing in the selection can see the context: then one execution serves all. That holds if no field has a
 * resolver, no type a function that decides about values, and every property that is read is plain data.
 */

/** How many properties were read that are no plain data. It is only compared before and after an execution. */
let impureReads = 0

export function countImpureReads(): number {
  return impureReads
}

/** The default resolver of graphql-js, which also notes the properties that are functions or getters. */
export const notingResolver: GraphQLFieldResolver<unknown, unknown> = (
  source,
  args,
  context,
  info,
) => {
  if ((typeof source !== 'object' || source === null) && typeof source !== 'function')
    return undefined
  const { fieldName } = info
  if (isComputed(source, fieldName)) impureReads += 1
  const holder = source as { readonly [name: string]: unknown }
  const { [fieldName]: property } = holder
  if (typeof property !== 'function') return property
  impureReads += 1
  return property.call(source, args, context, info) as unknown
}

function isComputed(source: object, name: string): boolean {
  let holder: object | null = source
  while (holder !== null) {
    const found = Reflect.getOwnPropertyDescriptor(holder, name)
    if (found !== undefined) return found.get !== undefined
    holder = Reflect.getPrototypeOf(holder)
  }
  return false
}

const keys = new WeakMap<object, string | undefined>()
let lastId = 0

/**
 * A text that is the same for operations of the same selection and variables; undefined if their results may depend
 * on more than the event.
 */
export function shareKeyOf(operation: Operation): string | undefined {
  const { definition, params } = operation
  // Definitions come from the cache of documents, which is per schema.
  if (!keys.has(definition)) {
    keys.set(definition, isPure(operation) ? String((lastId += 1)) : undefined)
  }
  const id = keys.get(definition)
  return id === undefined ? undefined : `${id} ${JSON.stringify(params.variables ?? {})}`
}

function isPure({ schema, definition, document }: Operation): boolean {
  const root = schema.getRootType(definition.operation)
  const seen = new Set<string>()
  return root != null && selects(root, definition.selectionSet)

  function selects(type: GraphQLNamedType, { selections }: SelectionSetNode): boolean {
    return selections.every((node) => {
      switch (node.kind) {
        case 'Field': {
          const name = node.name.value
          if (name.startsWith('__')) return name === '__typename'
          const fields = objectsOf(schema, type).map((one) => one.getFields()[name])
          if (fields.some((field) => field?.resolve !== undefined)) return false
          const inner = fields.find((field) => field !== undefined)?.type
          const named = schema.getType(String(inner).replaceAll(/[[\]!]/g, ''))
          if (named === undefined || !isDecidedByData(schema, named)) return false
          return node.selectionSet === undefined || selects(named, node.selectionSet)
        }
        case 'InlineFragment':
          return selects(typeNamed(node.typeCondition?.name.value, type), node.selectionSet)
        case 'FragmentSpread': {
          const key = node.name.value
          if (seen.has(key)) return true
          seen.add(key)
          const fragment = document.fragments.get(key)
          if (fragment === undefined) return false
          return selects(typeNamed(fragment.typeCondition.name.value, type), fragment.selectionSet)
        }
      }
    })
  }

  function typeNamed(name: string | undefined, parent: GraphQLNamedType): GraphQLNamedType {
    return (name === undefined ? undefined : schema.getType(name)) ?? parent
  }
}

/** The object types that a value of the type can have. */
function objectsOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLObjectType[] {
  if ('isTypeOf' in type) return [type]
  return 'resolveType' in type ? schema.getPossibleTypes(type) : []
}

/** Whether the type of a value depends on its `__typename` only. */
function isDecidedByData(schema: GraphQLSchema, type: GraphQLNamedType): boolean {
  if ('resolveType' in type && type.resolveType != null) return false
  return objectsOf(schema, type).every(({ isTypeOf }) => isTypeOf == null)
}
