import type {
  GraphQLField,
  GraphQLFieldConfig,
  GraphQLFieldResolver,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLType,
} from 'graphql'
import { remember } from '../../base/remember.js'
import { originalOf } from './watched-schemas.js'

/** A function of a field of the schema. */
export interface FieldFunction {
  readonly schema: GraphQLSchema
  readonly parentType: GraphQLObjectType
  readonly field: GraphQLField<unknown, unknown>
  /** What it does: it resolves the field, or it starts a subscription. */
  readonly kind: 'resolve' | 'subscribe'
}

/** A resolver, or the function that starts a subscription. */
export type AnyResolver = GraphQLFieldResolver<unknown, unknown>

/** Returns the replacement for a function of a field; undefined to keep it. */
export type FieldWrapper = (of: FieldFunction, resolve: AnyResolver) => AnyResolver | undefined

type Functions = { [kind in FieldFunction['kind']]?: AnyResolver }

/**
 * Wraps the fields of schemas, each schema once. If something is wrapped, the schema is copied, since another endpoint may
 * serve it without the wrapper. Scalars, enums and input types are not copied.
 */
export function createFieldWrapper(
  wrap: FieldWrapper,
  resolveUnset: AnyResolver,
): (schema: GraphQLSchema) => GraphQLSchema {
  const wrapped = new WeakMap<GraphQLSchema, GraphQLSchema>()
  return (schema) => {
    // Whether it is a schema at all is checked later.
    if (typeof (schema as Partial<GraphQLSchema> | null)?.getTypeMap !== 'function') return schema
    let own = wrapped.get(schema)
    if (own === undefined) {
      const functions = askForAll(schema, wrap, resolveUnset)
      own = functions.size === 0 ? schema : copySchema(schema, functions)
      wrapped.set(schema, own)
      wrapped.set(own, own)
    }
    return own
  }
}

/** The replacements, by the coordinates of their fields. */
function askForAll(
  schema: GraphQLSchema,
  wrap: FieldWrapper,
  resolveUnset: AnyResolver,
): ReadonlyMap<string, Functions> {
  const found = new Map<string, Functions>()
  for (const parentType of Object.values(schema.getTypeMap())) {
    if (kindOf(parentType) !== 'GraphQLObjectType' || parentType.name.startsWith('__')) continue
    for (const field of Object.values((parentType as GraphQLObjectType).getFields())) {
      const functions: Functions = {}
      for (const kind of ['resolve', 'subscribe'] as const) {
        const given = field[kind] ?? (kind === 'resolve' ? resolveUnset : undefined)
        if (given == null) continue
        const of = { schema, parentType: parentType as GraphQLObjectType, field, kind }
        const own: unknown = wrap(of, originalOf(given))
        if (own === undefined) continue
        if (typeof own !== 'function') throw wrongWrapper(of)
        functions[kind] = own as AnyResolver
      }
      if (Object.keys(functions).length > 0)
        found.set(`${parentType.name}.${field.name}`, functions)
    }
  }
  return found
}

function wrongWrapper({ parentType, field, kind }: FieldFunction): TypeError {
  const place = `${parentType.name}.${field.name}`
  return new TypeError(`wrapField: expected a function or undefined for ${kind} of ${place}.`)
}

function copySchema(
  schema: GraphQLSchema,
  functions: ReadonlyMap<string, Functions>,
): GraphQLSchema {
  const copies = new Map<GraphQLNamedType, GraphQLNamedType>()
  const { query, mutation, subscription, types, ...config } = schema.toConfig()
  const root = (type: GraphQLNamedType | null | undefined) => type && copyNamed(type)
  return make(schema, {
    ...config,
    query: root(query),
    mutation: root(mutation),
    subscription: root(subscription),
    types: types.map(copyNamed),
  })

  function copyNamed(type: GraphQLNamedType): GraphQLNamedType {
    return remember(copies, type, copyType)
  }

  /** What the types refer to is read when it is needed: they may refer to each other. */
  function copyType(type: GraphQLNamedType): GraphQLNamedType {
    const kind = kindOf(type)
    if (type.name.startsWith('__')) return type
    if (kind === 'GraphQLUnionType' && 'getTypes' in type) {
      return make(type, { ...type.toConfig(), types: () => type.getTypes().map(copyNamed) })
    }
    if (kind !== 'GraphQLObjectType' && kind !== 'GraphQLInterfaceType') return type
    const { fields, ...others } = (type as GraphQLObjectType).toConfig()
    return make(type, {
      ...others,
      interfaces: () => (type as GraphQLObjectType).getInterfaces().map(copyNamed),
      fields: () => copyFields(type.name, fields),
    })
  }

  function copyFields(typeName: string, fields: Fields): Fields {
    const entries = Object.entries(fields).map(([name, field]) => {
      const resolve = field.resolve && originalOf(field.resolve)
      const own = { ...field, type: copyReference(field.type), resolve }
      return [name, { ...own, ...functions.get(`${typeName}.${name}`) }] as const
    })
    return Object.fromEntries(entries)
  }

  function copyReference<Type extends GraphQLType>(type: Type): Type {
    if (!('ofType' in type)) return copyNamed(type as GraphQLNamedType) as Type
    const Wrapping = type.constructor as new (ofType: GraphQLType) => Type
    return new Wrapping(copyReference(type.ofType))
  }
}

type Fields = { readonly [name: string]: GraphQLFieldConfig<unknown, unknown> }

/** What graphql-js makes of a configuration, in whichever copy and version. */
function make<Value extends object>(original: Value, config: object): Value {
  return new (original.constructor as new (config: object) => Value)(config)
}

function kindOf(type: GraphQLNamedType): string {
  return type[Symbol.toStringTag]
}
