import type { GraphQLIsTypeOfFn, GraphQLResolveInfo, GraphQLTypeResolver } from 'graphql'
import { thrower } from '../../base/thrower.js'
import type { Random } from '../../fuzz/random.js'
import { lateKinds } from './late-values.js'
import { just } from './leaf-values.js'
import { pathKey } from './record-call.js'
import type { Run } from './run.js'
import { originOf } from './sources.js'

/** The function that an abstract type has for finding the type of a value; or none, for the default. */
export function makeResolveType(random: Random): GraphQLTypeResolver<unknown, Run> | undefined {
  if (random.chance(0.4)) return undefined
  return (value, run, info, abstractType) => {
    const key = `${pathKey(info.path)}/type`
    const asked = `type of ${key} for ${abstractType.name} as ${info.returnType.toString()}`
    run.record(typePath(info), asked)
    return answer(run, key, () => originOf(value)?.type.name, wrongNames) as string
  }
}

const wrongNames: readonly (() => unknown)[] = [
  ...just(undefined, 'None', 'Int', 'Object4', 'Query', null, { Object4: 1 }, 5, ''),
  thrower(new Error('resolveType fails')),
]

/** Whether a value is of an object type. */
export function makeIsTypeOf(name: string): GraphQLIsTypeOfFn<unknown, Run> {
  return (value, run, info) => {
    const key = `${pathKey(info.path)}/is ${name}`
    run.record(typePath(info), `asked at ${key}`)
    return answer(run, key, () => originOf(value)?.type.name === name, wrongAnswers) as boolean
  }
}

const wrongAnswers: readonly (() => unknown)[] = [
  ...just(false, undefined, 'yes'),
  thrower(new Error('isTypeOf fails')),
]

/** Below the field; unknown for the items of a list, which have the path of their field. */
export function typePath(info: GraphQLResolveInfo): string | undefined {
  return String(info.returnType).includes('[') ? undefined : `${pathKey(info.path)}.type`
}

function answer(run: Run, key: string, right: () => unknown, wrong: readonly (() => unknown)[]) {
  if (run.isCalm(key)) return right()
  const random = run.randomFor(key)
  const { waits, faults } = run.settings.mood
  const isWrong = random.chance(faults)
  const make = isWrong ? random.pick(wrong) : right
  if (isWrong) run.note(key, 'is answered wrongly')
  if (!random.chance(waits)) return make()
  const [name, late] = random.pick(lateKinds)
  run.note(key, `is answered by ${name}`)
  return late(random, make)
}
