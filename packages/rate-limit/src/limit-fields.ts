import {
  GraphQLError,
  type ConstDirectiveNode,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql'
import type { AnyResolver, FieldFunction } from 'graphwire'
import { andThen, isJsonObject } from 'graphwire/base'
import { inWords, type PointCounter } from './counter.js'

/** The limit of a field. */
export interface FieldLimit {
  readonly limit: number
  /** In seconds. Default: 60. */
  readonly window?: number | undefined
}

type WrapField = (of: FieldFunction, resolve: AnyResolver) => AnyResolver | undefined

/**
 * Counts the calls of fields with `@rateLimit(limit: 5, window: 60)`, or `extensions: { rateLimit: { limit: 5 } }`. Their
 * names contain that of the limit, since another limit with other identities may use the same counter.
 */
export function limitFields(
  counter: PointCounter,
  countedBy: string,
  identify: (context: unknown) => string | undefined,
): WrapField {
  return ({ schema, parentType, field, kind }, resolve) => {
    const found = readLimit(field, schema)
    // A subscription counts once, and not each of its events.
    if (found === undefined || (kind === 'resolve' && field.subscribe != null)) return undefined
    const { limit, window = 60 } = found
    const name = `${parentType.name}.${field.name}`
    const policy = `${countedBy}/${name}`
    return (source, args, context, info) => {
      const identity = identify(context)
      if (identity === undefined) return resolve(source, args, context, info)
      const taken = counter.take({ policy, identity, limit, window }, 1)
      return andThen(taken, ({ isAllowed, reset }): unknown => {
        if (isAllowed) return resolve(source, args, context, info)
        const message = `Rate limit of ${name} exceeded: ${limit} in ${inWords(window)}; retry in ${inWords(reset)}.`
        throw new GraphQLError(message, { extensions: { code: 'RATE_LIMITED', retryAfter: reset } })
      })
    }
  }
}

function readLimit(
  field: GraphQLField<unknown, unknown>,
  schema: GraphQLSchema,
): FieldLimit | undefined {
  const directive = field.astNode?.directives?.find(({ name }) => name.value === 'rateLimit')
  if (directive !== undefined) return ofDirective(directive, schema)
  const extension: unknown = field.extensions['rateLimit']
  return isJsonObject(extension) ? (extension as unknown as FieldLimit) : undefined
}

function ofDirective(
  { arguments: args = [] }: ConstDirectiveNode,
  schema: GraphQLSchema,
): FieldLimit {
  const declared = schema.getDirective('rateLimit')?.astNode?.arguments ?? []
  const valueOf = (name: string): number | undefined => {
    const isIt = (one: { readonly name: { readonly value: string } }) => one.name.value === name
    const value = args.find(isIt)?.value ?? declared.find(isIt)?.defaultValue
    return value?.kind === 'IntValue' ? Number(value.value) : undefined
  }
  return { limit: valueOf('limit') ?? 0, window: valueOf('window') }
}
