import type {
  ConstDirectiveNode,
  ConstValueNode,
  GraphQLField,
  GraphQLInterfaceType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
} from 'graphql'
import { isJsonObject, type JsonObject } from '../../base/json.js'
import { objectOf, type Shape } from '../../shapes/shape.js'
import { maxInt32, oneOf, wholeNumberFrom } from '../../shapes/shapes.js'

/** Who may store a response: every cache, or only that of the client. */
export type CacheScope = 'PUBLIC' | 'PRIVATE'

/** What a schema or a resolver says about caching. */
export interface CacheHint {
  /** For how many seconds the value may be stored. */
  readonly maxAge?: number | undefined
  readonly scope?: CacheScope | undefined
}

export const cacheHintShape: Shape = objectOf<CacheHint>('{ maxAge: 60 }', {
  maxAge: wholeNumberFrom(0, maxInt32),
  scope: oneOf(['PUBLIC', 'PRIVATE']),
})

export interface DeclaredHint extends CacheHint {
  /** Whether the lifetime is that of the object around the field. */
  readonly inheritMaxAge?: boolean | undefined
}

export type CompositeType = GraphQLObjectType | GraphQLInterfaceType | GraphQLUnionType

/** Reads `@cacheControl` of a field or a type, or else its `extensions.cacheControl`, for schemas made by code. */
export function readHint(
  element: GraphQLField<unknown, unknown> | CompositeType,
  schema: GraphQLSchema,
): DeclaredHint | undefined {
  const nodes = [
    element.astNode,
    ...('extensionASTNodes' in element ? (element.extensionASTNodes ?? []) : []),
  ]
  for (const node of nodes) {
    const directive = node?.directives?.find(({ name }) => name.value === 'cacheControl')
    if (directive !== undefined) return ofDirective(directive, schema)
  }
  const extension: unknown = element.extensions['cacheControl']
  return isJsonObject(extension) ? toHint(extension) : undefined
}

/** An argument that is left out has the default of the directive's definition. */
function ofDirective(
  { arguments: args = [] }: ConstDirectiveNode,
  schema: GraphQLSchema,
): DeclaredHint {
  const declared = schema.getDirective('cacheControl')?.astNode?.arguments ?? []
  const valueOf = (name: string): unknown => {
    const isIt = (one: { readonly name: { readonly value: string } }) => one.name.value === name
    const node = args.find(isIt)?.value ?? declared.find(isIt)?.defaultValue
    return node && valueOfNode(node)
  }
  return toHint({
    maxAge: valueOf('maxAge'),
    scope: valueOf('scope'),
    inheritMaxAge: valueOf('inheritMaxAge'),
  })
}

function valueOfNode(node: ConstValueNode): unknown {
  if (node.kind === 'IntValue') return Number(node.value)
  return node.kind === 'EnumValue' || node.kind === 'BooleanValue' ? node.value : undefined
}

/** As in Apollo Server, `inheritMaxAge` wins over a `maxAge` beside it. A scope that is not known is PRIVATE. */
function toHint({ maxAge, scope, inheritMaxAge }: JsonObject): DeclaredHint {
  const isInherited = inheritMaxAge === true
  return {
    maxAge: isInherited || maxAge === undefined || maxAge === null ? undefined : toSeconds(maxAge),
    scope: scope == null ? undefined : scope === 'PUBLIC' ? scope : 'PRIVATE',
    inheritMaxAge: isInherited,
  }
}

/** Whole seconds. An invalid lifetime is 0: not stored. The maximum is what caches must support (RFC 9111 section 1.2.2). */
function toSeconds(maxAge: unknown): number {
  return typeof maxAge === 'number' && maxAge > 0 ? Math.min(Math.floor(maxAge), maxInt32) : 0
}
