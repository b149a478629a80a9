import { GraphQLEnumType, GraphQLScalarType, type GraphQLLeafType } from 'graphql'
import type { Random } from '../../fuzz/random.js'

/** The names of leaves, as often as they are to be used. */
// oxfmt-ignore
export const leafNames = ['Int', 'Float', 'String', 'Boolean', 'ID', 'String', 'Int', 'Anything', 'Anything', 'Picky', 'Color']

/** The leaves that are not built in: an enum with odd internal values, and scalars. */
export function makeLeaves(random: Random): readonly GraphQLLeafType[] {
  const parseValue = (value: unknown): number => {
    if (typeof value === 'number') return value * 2
    throw new TypeError(`Picky wants a number, got ${typeof value}`)
  }
  const values: readonly unknown[] = random.pick([
    [undefined, undefined, undefined],
    [1, 2, 3],
    [{ red: 1 }, 'GREEN', false],
    [null, 'a', 'b'],
  ])
  const [RED, GREEN, BLUE] = values.map((value) => ({ value })) as [object, object, object]
  return [
    new GraphQLScalarType({ name: 'Anything' }),
    new GraphQLScalarType({ name: 'Picky', serialize: pickyOutput, parseValue }),
    new GraphQLEnumType({ name: 'Color', values: { RED, GREEN, BLUE } }),
  ]
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
