import { isAbstractType, isLeafType, isListType, isNonNullType, isObjectType } from 'graphql'
import { GraphQLError } from 'graphql'
import type { Random } from '../../fuzz/random.js'
import { thrower } from '../../base/thrower.js'
import { lateKinds } from './late-values.js'
import { rightLeaf, wrongLeaf } from './leaf-values.js'
import { toContainer } from './lists.js'
import type { Place } from './place.js'
import { makeSource } from './sources.js'

/** The value of a field or an item: usually right, sometimes late, sometimes at fault. It may throw. */
export function valueAt(place: Place): unknown {
  const { run, key } = place
  const random = run.randomFor(key)
  if (run.isCalm(key)) return rightValue(place, random)
  const { waits, faults } = run.settings.mood
  const fault = random.chance(faults) ? random.pick(faultsOf(place)) : undefined
  const isLate = random.chance(waits)
  if (fault !== undefined) run.note(key, `${isLate ? 'late, ' : ''}${fault.name}`)
  const make = (): unknown =>
    fault === undefined ? usualValue(place, random) : fault.make(place, random)
  if (!isLate) return make()
  const [name, late] = random.pick(lateKinds)
  run.note(key, `${name}${fault === undefined ? '' : `, ${fault.name}`}`)
  return late(random, make)
}

/** A value that is made at once and throws nothing: for the own members of plain objects. */
export function memberAt(place: Place): unknown {
  const { run, key } = place
  const random = run.randomFor(key)
  if (run.isCalm(key) || !random.chance(run.settings.mood.faults)) return usualValue(place, random)
  run.note(key, 'returns a wrong value')
  return wrongValue(place, random)
}

function usualValue(place: Place, random: Random): unknown {
  const isNullable = !isNonNullType(place.type)
  if (isNullable && !place.run.isCalm(place.key) && random.chance(0.08)) {
    place.run.note(place.key, 'null')
    return random.pick([null, undefined])
  }
  return rightValue(place, random)
}

function rightValue(place: Place, random: Random): unknown {
  const type = isNonNullType(place.type) ? place.type.ofType : place.type
  if (isListType(type)) {
    // Lists within lists get shorter, or an answer would be too long to be compared.
    const depth = place.key.split('.').length
    const items = random
      .list(Math.max(1, 4 - depth), () => 0)
      .map((_, at) => ({ ...place, key: `${place.key}.${at}`, type: type.ofType }))
    return toContainer(place, random, items, valueAt)
  }
  if (isLeafType(type)) {
    if (type.name === 'String' && random.chance(0.01)) {
      place.run.note(place.key, 'executes the operation again')
      return place.run.executeAgain()
    }
    return rightLeaf(random, type)
  }
  const types = isAbstractType(type) ? place.schema.getPossibleTypes(type) : [type]
  return makeSource({ ...place, type: random.pick(types) }, random, { valueAt, memberAt })
}

interface Fault {
  readonly name: string
  make(place: Place, random: Random): unknown
}

const faults: readonly Fault[] = [
  { name: 'throws an Error', make: ({ key }) => thrower(new Error(`thrown at ${key}`))() },
  { name: 'throws a GraphQLError', make: (...place) => thrower(shownError(...place))() },
  { name: 'throws what is no error', make: (_, random) => thrower(random.pick(noErrors))() },
  { name: 'returns an Error', make: ({ key }) => new TypeError(`returned at ${key}`) },
  { name: 'returns a GraphQLError', make: shownError },
  { name: 'returns a wrong value', make: wrongValue },
  { name: 'returns a wrong value', make: wrongValue },
  { name: 'returns a wrong value', make: wrongValue },
  { name: 'returns nothing', make: (_, random) => random.pick([null, undefined]) },
]

const noErrors: readonly unknown[] = [undefined, null, 'a text', 5, { message: 'like one' }, []]

function faultsOf({ type }: Place): readonly Fault[] {
  return isNonNullType(type) ? faults : faults.slice(0, -1)
}

/** Errors of resolvers may have a path of their own, which stays. Where something waits it would tell nothing. */
function shownError({ run, key }: Place, random: Random): GraphQLError {
  const isElsewhere = random.chance(0.2) && run.settings.mood.waits === 0
  return new GraphQLError(`shown at ${key}`, {
    ...(random.chance(0.5) && { extensions: { code: 'SHOWN' } }),
    ...(isElsewhere && { path: ['elsewhere', 0] }),
    ...(random.chance(0.2) && { originalError: new Error('the original') }),
  })
}

function wrongValue(place: Place, random: Random): unknown {
  const type = isNonNullType(place.type) ? place.type.ofType : place.type
  if (isLeafType(type)) return wrongLeaf(random, type)
  if (isListType(type)) return random.pick<unknown>([5, 'text', {}, true, () => [], { length: 1 }])
  if (!isAbstractType(type)) return random.pick<unknown>([5, 'text', '', {}, [], true, 0])
  // A source of a type that the abstract one does not have.
  const objects = Object.values(place.schema.getTypeMap()).filter(isObjectType)
  const own = objects.filter(({ name }) => name.startsWith('Object'))
  return random.chance(0.5)
    ? makeSource({ ...place, type: random.pick(own) }, random, { valueAt, memberAt })
    : random.pick(noSources)
}

// oxfmt-ignore
const noSources: readonly unknown[] = [5, {}, { __typename: 'None' }, { __typename: 'Int' }, { __typename: 5 }, 'x']
