import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  type GraphQLInputFieldConfig,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLNullableInputType,
  type GraphQLLeafType,
  type GraphQLArgumentConfig,
} from 'graphql'
import type { Random } from '../../fuzz/random.js'

/** The leaves of a schema: built-in scalars, enums with odd internal values, and scalars of its own. */
export function makeLeaves(random: Random): readonly GraphQLLeafType[] {
  const anything = new GraphQLScalarType({ name: 'Anything' })
  const picky = new GraphQLScalarType({
    name: 'Picky',
    serialize: pickyOutput,
    parseValue: (value) => {
      if (typeof value !== 'number')
        throw new TypeError(`Picky wants a number, got ${typeof value}`)
      return value * 2
    },
  })
  const values: readonly unknown[] = random.pick([
    [undefined, undefined, undefined],
    [1, 2, 3],
    [{ red: 1 }, 'GREEN', false],
    [null, 'a', 'b'],
  ])
  const color = new GraphQLEnumType({
    name: 'Color',
    values: Object.fromEntries(
      values.map((value, at) => [['RED', 'GREEN', 'BLUE'][at], { value }]),
    ) as { [name: string]: { value: unknown } },
  })
  const builtIn = [GraphQLInt, GraphQLFloat, GraphQLString, GraphQLBoolean, GraphQLID]
  return [...builtIn, GraphQLString, GraphQLInt, anything, anything, picky, color]
}

/** Throws as custom scalars do, and returns what they should not. */
function pickyOutput(value: unknown): unknown {
  if (value === 13) return undefined
  if (value === 17) return null
  if (typeof value !== 'number' || Number.isNaN(value)) {
    throw new TypeError(`Picky cannot send a ${typeof value}`)
  }
  return value
}

/** All types that arguments can have: leaves, and input objects that hold one another. */
export function makeInputs(
  random: Random,
  leaves: readonly GraphQLLeafType[],
): readonly GraphQLNamedInputType[] {
  const inputs: GraphQLNamedInputType[] = [...leaves]
  for (const name of ['Filter', 'Range', 'Choice']) {
    const known: readonly GraphQLNamedInputType[] = [...inputs]
    const isOneOf = name === 'Choice'
    const own: GraphQLInputObjectType = new GraphQLInputObjectType({
      name,
      isOneOf,
      fields: () => {
        const fields: { [name: string]: GraphQLInputFieldConfig } = {}
        for (let at = random.below(3) + 1; at > 0; at--) {
          const made = makeArgument(random, known)
          fields[`f${at}`] = isOneOf ? { type: nullable(made.type) } : made
        }
        if (name === 'Filter') fields['not'] = { type: own }
        return fields
      },
    })
    // Now, so that the order in which fields are asked for changes nothing.
    own.getFields()
    inputs.push(own)
  }
  return inputs
}

/** The configuration of an argument or an input field, now and then with a default. */
export function makeArgument(
  random: Random,
  types: readonly GraphQLNamedInputType[],
): GraphQLArgumentConfig {
  const named = random.pick(types)
  const type = wrapInput(random, named, 2)
  const hasDefault = random.chance(0.25)
  if (!hasDefault) return { type }
  return { type, defaultValue: defaultFor(random, type) }
}

function wrapInput(random: Random, type: GraphQLNamedInputType, left: number): GraphQLInputType {
  const inner: GraphQLInputType =
    left > 0 && random.chance(0.2) ? new GraphQLList(wrapInput(random, type, left - 1)) : type
  return random.chance(0.25) ? new GraphQLNonNull(inner) : inner
}

function nullable(type: GraphQLInputType): GraphQLInputType {
  return type instanceof GraphQLNonNull ? type.ofType : type
}

/** Defaults are internal values, and may be anything. */
function defaultFor(random: Random, type: GraphQLInputType): unknown {
  const inner = nullable(type) as Exclude<
    GraphQLInputType,
    GraphQLNonNull<GraphQLNullableInputType>
  >
  if (inner === type && random.chance(0.2)) return null
  if (inner instanceof GraphQLList) return []
  if (inner instanceof GraphQLInputObjectType) return {}
  if (inner instanceof GraphQLEnumType) return random.pick(inner.getValues()).value
  const defaults: { readonly [name: string]: unknown } = {
    Int: 5,
    Float: 2.5,
    String: 'by default',
    Boolean: true,
    ID: 'id',
    Anything: { any: ['thing'] },
    Picky: 3,
  }
  return defaults[inner.name]
}
