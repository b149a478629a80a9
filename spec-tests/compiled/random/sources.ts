import { getNamedType, isLeafType } from 'graphql'
import type { GraphQLObjectType, GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import type { Random } from '../../fuzz/random.js'
import type { Run } from './run.js'
import { recordCall } from './record-call.js'
import type { MakeValue, Place } from './place.js'

/** Where a source comes from: in a symbol, which neither default resolvers nor texts of errors see. */
const origin = Symbol('origin')

interface Origin {
  readonly run: Run
  readonly schema: GraphQLSchema
  readonly key: string
  readonly type: GraphQLObjectType
}

interface Source {
  readonly [origin]: Origin
}

/** How the sources of a type are made; part of the schema. */
export interface SourceHabits {
  /** Own members instead of getters. */
  readonly plain: boolean
  /** Tells its type by `__typename`. */
  readonly named: boolean
}

/** The key of `extensions` of an object type under which its habits are. */
export const habitsKey = 'habits'

export function originOf(value: unknown): Origin | undefined {
  return (value as Partial<Source> | undefined)?.[origin]
}

type ObjectPlace = Place & { readonly type: GraphQLObjectType }

/** Makes the values of the members: those that getters and methods give, and those that are there from the start. */
interface Makers {
  readonly valueAt: MakeValue
  readonly memberAt: MakeValue
}

/** An object, or now and then a function, with the fields of an object type. */
export function makeSource(place: ObjectPlace, random: Random, makers: Makers): object {
  const { run, schema, key, type } = place
  const habits = type.extensions[habitsKey] as SourceHabits
  const source = random.chance(0.05) ? () => 'a source' : {}
  Object.defineProperty(source, origin, { value: { run, schema, key, type } satisfies Origin })
  if (habits.named) Object.defineProperty(source, '__typename', { value: type.name })
  for (const name of Object.keys(type.getFields())) {
    if (name === '__typename') continue
    if (habits.plain) definePlain(source, memberPlace(place, name), makers)
    else {
      const get = () => read(place, name, makers)
      Object.defineProperty(source, name, { get, configurable: true })
    }
  }
  return source
}

function definePlain(source: object, at: Place & { name: string }, makers: Makers): void {
  const isLeaf = isLeafType(getNamedType(at.type))
  const isMember = isLeaf && !at.run.randomFor(`${at.key}?`).chance(0.3)
  const value = isMember ? makers.memberAt({ ...at, isShared: true }) : method(at, makers)
  Object.defineProperty(source, at.name, { value, enumerable: true })
}

/** The getters tell of each read; functions are read twice by graphql-js, which means nothing. */
function read(place: ObjectPlace, name: string, makers: Makers): unknown {
  const at = memberPlace(place, name)
  if (at.run.randomFor(`${at.key}?`).chance(0.2)) return method(at, makers)
  const value = makers.valueAt(at)
  if (typeof value !== 'function') at.run.record(undefined, `read ${at.key}`)
  return value
}

function memberPlace(place: ObjectPlace, name: string): Place & { name: string } {
  const type = place.type.getFields()[name]?.type
  if (type === undefined) throw new Error(`no field ${name}`)
  return { ...place, key: `${place.key}/${name}`, type, name }
}

/** A method gets the arguments first, and its object as `this`. */
function method(at: Place, { valueAt }: Makers) {
  return function (this: unknown, args: object, context: Run, info: GraphQLResolveInfo): unknown {
    recordCall(context, info, args, `method of ${originOf(this)?.key}`)
    return valueAt(at)
  }
}
