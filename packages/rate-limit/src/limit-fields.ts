import { GraphQLError, type ConstDirectiveNode, type GraphQLField } from 'graphql'
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

/** Counts the calls of fields with `@rateLimit(limit: 5, window: 60)`, or `extensions: { rateLimit: { limit: 5 } }`. */
export function limitFields(
  counter: PointCounter,
  identify: (context: unknown) => string | undefined,
): WrapField {
  return ({ parentType, field, kind }, resolve) => {
    const found = readLimit(field)
    // A subscription counts once, and not each of its events.
    if (found === undefined || (kind === 'resolve' && field.subscribe != null)) return undefined
    const { limit, window = 60 } = found
    const policy = `${parentType.name}.${field.name}`
    return (source, args, context, info) => {
      const identity = identify(context)
      if (identity === undefined) return resolve(source, args, context, info)
      const taken = counter.take({ policy, identity, limit, window }, 1)
      return andThen(taken, ({ isAllowed, reset }): unknown => {
        if (isAllowed) return resolve(source, args, context, info)
        const message = `Rate limit of ${policy} exceeded: ${limit} in ${inWords(window)}; retry in ${inWords(reset)}.`
        throw new GraphQLError(message, { extensions: { code: 'RATE_LIMITED', retryAfter: reset } })
      })
    }
  }
}

function readLimit(field: GraphQLField<unknown, unknown>): FieldLimit | undefined {
  const directive = field.astNode?.directives?.find(({ name }) => name.value === 'rateLimit')
  if (directive !== undefined) return ofDirective(directive)
  const extension: unknown = field.extensions['rateLimit']
  return isJsonObject(extension) ? (extension as unknown as FieldLimit) : undefined
}

function ofDirective({ arguments: args = [] }: ConstDirectiveNode): FieldLimit {
  const valueOf = (name: string): number | undefined => {
    const value = args.find((one) => one.name.value === name)?.value
    return value?.kind === 'IntValue' ? Number(value.value) : undefined
  }
  return { limit: valueOf('limit') ?? 0, window: valueOf('window') }
}
