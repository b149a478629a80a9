import type { GraphQLSchema } from 'graphql'
import { originalOf } from './watched-schemas.js'
import type { GraphQLModule } from '../js/graphql.js'
import { checkSchema, SchemaError } from './check-schema.js'

interface ServableType {
  readonly schema: unknown
  readonly cacheHints?: boolean | undefined
}

/** Throws a SchemaError for a schema that an endpoint cannot serve with its options. */
export function checkServable(
  graphql: GraphQLModule,
  { schema, cacheHints }: ServableType,
  caller: string,
): void {
  checkSchema(graphql, schema, caller)
  if (cacheHints) refuseHintsByInfo(schema, caller)
}

/**
 * Throws for a resolver that gives its hint as on Apollo Server. `info.cacheControl` is undefined here: with `?.`, the hint
 * would be lost silently, so the source text is searched.
 */
function refuseHintsByInfo(schema: GraphQLSchema, caller: string): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!('getFields' in type)) continue
    for (const field of Object.values(type.getFields())) {
      if (!('resolve' in field) || typeof field.resolve !== 'function') continue
      if (!givesHintByInfo(originalOf(field.resolve))) continue
      throw new SchemaError(
        `${caller}: the resolver of ${type.name}.${field.name} calls info.cacheControl.setCacheHint, which does not exist here: ` +
          'call request.cacheHint({ maxAge: 60 }), where request is the context value, or what `context` got.',
      )
    }
  }
}

function givesHintByInfo(resolve: object): boolean {
  const source = Function.prototype.toString.call(resolve).replaceAll(comment, '')
  return source.includes('cacheControl') && source.includes('setCacheHint')
}

const comment = /\/\*[^]*?\*\/|\/\/.*/g
