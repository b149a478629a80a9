import {
  GraphQLError,
  type ConstDirectiveNode,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql'
import type { AnyResolver, FieldFunction } from 'graphwire'
import {
  andThen,
  checkOptions,
  isJsonObject,
  maxInt32,
  objectOf,
  wholeNumberFrom,
} from 'graphwire/base'
import { inWords, type PointCounter } from './counter.js'
import { aCount } from './options.js'

/** The limit of a field. */
export interface FieldLimit {
  readonly limit: number
  /** In seconds. Default: 60. */
  readonly window?: number | undefined
}

const fieldShape = objectOf<FieldLimit>('{ limit: 5 }', {
  limit: aCount,
  window: wholeNumberFrom(1, maxInt32),
})

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
    const name = `${parentType.name}.${field.name}`
    const found = readLimit(field, schema)
    for (const one of found === undefined ? parentType.getInterfaces() : []) {
      // Fields of interfaces are never resolved.
      const above = one.getFields()[field.name]
      if (above === undefined || readLimit(above, schema) === undefined) continue
      throw new TypeError(
        `@rateLimit of ${one.name}.${field.name} limits nothing: put it on ${name}.`,
      )
    }
    if (found === undefined) return undefined
    if (kind === 'resolve' && parentType === schema.getSubscriptionType()) {
      // A subscription counts once, and not each of its events.
      if (field.subscribe != null) return undefined
      throw new TypeError(
        `@rateLimit of ${name} would count each event: give the field a subscribe function.`,
      )
    }
    checkOptions(`@rateLimit of ${name}`, found, fieldShape)
    const { limit, window = 60 } = found as FieldLimit
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

/** Not checked yet: the directive may be defined with other arguments, such as those of another library. */
function readLimit(field: GraphQLField<unknown, unknown>, schema: GraphQLSchema): unknown {
  const [directive, second] =
    field.astNode?.directives?.filter(({ name }) => name.value === 'rateLimit') ?? []
  if (second !== undefined) throw new TypeError(`@rateLimit of ${field.name}: expected only one.`)
  if (directive !== undefined) return ofDirective(directive, schema)
  const extension: unknown = field.extensions['rateLimit']
  return isJsonObject(extension) ? extension : undefined
}

function ofDirective(
  { arguments: args = [] }: ConstDirectiveNode,
  schema: GraphQLSchema,
): { readonly limit: unknown; readonly window: unknown } {
  const declared = schema.getDirective('rateLimit')?.astNode?.arguments ?? []
  const valueOf = (name: string): unknown => {
    const isIt = (one: { readonly name: { readonly value: string } }) => one.name.value === name
    const value = args.find(isIt)?.value ?? declared.find(isIt)?.defaultValue
    if (value?.kind === 'IntValue') return Number(value.value)
    return value !== undefined && 'value' in value ? value.value : undefined
  }
  return { limit: valueOf('limit'), window: valueOf('window') }
}
