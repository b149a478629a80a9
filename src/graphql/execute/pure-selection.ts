import type {
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql'
import type { GraphQLModule } from '../js/graphql.js'
import { isScalarType } from '../schema/scalar-type.js'
import type { Operation } from './operation.js'
import { toKeptParams } from './params.js'

/*
 * Many clients subscribe to the same events with the same operation. One execution of an event serves all of them if nothing in the selection can see the context, and the event cannot change. The first holds if no field has a resolver, and no type a function of the application; the second if the event is deeply frozen plain data (`isFrozenData`), as the events of `@graphwire/pubsub` are.
 */

const keys = new WeakMap<object, string | undefined>()
let lastId = 0

/** Each stream keeps its key. */
const maxKeyLength = 1000

/** A text that is equal for operations of equal selections and variables; undefined if their results may depend on more than the event. */
export function shareKeyOf(
  operation: Operation,
  { specifiedScalarTypes = [] }: Pick<GraphQLModule, 'specifiedScalarTypes'>,
): string | undefined {
  const { definition, params } = operation
  // Definitions come from the cache of documents, which is per schema.
  if (!keys.has(definition)) {
    keys.set(
      definition,
      isPure(operation, specifiedScalarTypes) ? String((lastId += 1)) : undefined,
    )
  }
  const id = keys.get(definition)
  if (id === undefined) return undefined
  const key = `${id} ${JSON.stringify(toKeptParams(params, definition).variables)}`
  return key.length <= maxKeyLength ? key : undefined
}

function isPure(
  { schema, definition, document }: Operation,
  specified: readonly GraphQLNamedType[],
): boolean {
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
          const declared = 'getFields' in type ? type.getFields()[name] : undefined
          const named = typeOf(declared)
          // Each object may narrow the type, possibly to an interface that decides on its own.
          const types = [named, ...fields.map(typeOf)]
          if (named === undefined || !types.every(isDecidedByData)) return false
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

  function typeOf(field: { readonly type: unknown } | undefined): GraphQLNamedType | undefined {
    return schema.getType(String(field?.type).replaceAll(/[[\]!]/g, ''))
  }

  /** Whether a value is written as it is, and its type depends on its `__typename` only. */
  function isDecidedByData(type: GraphQLNamedType | undefined): boolean {
    if (type === undefined || ('resolveType' in type && type.resolveType != null)) return false
    if (isScalarType(type)) return specified.includes(type) || isPlain(type)
    return objectsOf(schema, type).every(({ isTypeOf }) => isTypeOf == null)
  }

  function typeNamed(name: string | undefined, parent: GraphQLNamedType): GraphQLNamedType {
    return (name === undefined ? undefined : schema.getType(name)) ?? parent
  }
}

/** Whether a scalar has no output function of its own, which could see the asynchronous context of a subscriber. */
function isPlain({ constructor, serialize, coerceOutputValue }: GraphQLScalarType): boolean {
  const plain = new (constructor as typeof GraphQLScalarType)({ name: 'Plain' })
  return serialize === plain.serialize && coerceOutputValue === plain.coerceOutputValue
}

/** The object types that a value of the type can have. */
function objectsOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLObjectType[] {
  if ('isTypeOf' in type) return [type]
  return 'resolveType' in type ? schema.getPossibleTypes(type) : []
}
