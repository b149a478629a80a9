import type { GraphQLSchema } from 'graphql'
import { cacheHintShape, type CacheHint } from 'graphwire'
import { checkOptions, recordOf } from 'graphwire/base'

/** Hints by type or field: `{ Product: { maxAge: 60 }, 'Query.products': { maxAge: 10, scope: 'PUBLIC' } }`. */
export interface FieldHints {
  readonly [name: string]: CacheHint
}

const shape = recordOf('{ Product: { maxAge: 60 } }', cacheHintShape)

/** Gives types and fields of a schema the hints that `@cacheControl` would, before its first request. Hints in SDL win. */
export function addCacheHints(schema: GraphQLSchema, hints: FieldHints): void {
  checkOptions('addCacheHints', hints, shape)
  for (const [name, cacheControl] of Object.entries(hints)) {
    const [typeName = '', fieldName] = name.split('.')
    const type = schema.getType(typeName)
    const hasHints = type !== undefined && ('getFields' in type || 'getTypes' in type)
    const fields = hasHints && 'getInterfaces' in type ? type.getFields() : {}
    const element = fieldName === undefined ? (hasHints ? type : undefined) : fields[fieldName]
    if (element === undefined) throw new TypeError(`addCacheHints: the schema has no "${name}".`)
    element.extensions = { ...element.extensions, cacheControl }
  }
}
