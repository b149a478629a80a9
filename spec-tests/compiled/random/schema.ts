import { extendSchema, GraphQLSchema, isAbstractType, isObjectType, parse } from 'graphql'
import type { GraphQLArgument, GraphQLObjectType, GraphQLResolveInfo } from 'graphql'
import { Random, seedOf } from '../../fuzz/random.js'
import { leafNames, makeLeaves } from './leaves.js'
import { pathKey, recordCall } from './record-call.js'
import type { Run } from './run.js'
import { habitsKey, type SourceHabits } from './sources.js'
import { makeIsTypeOf, makeResolveType } from './type-resolvers.js'
import { valueAt } from './values.js'

const objects = ['Object0', 'Object1', 'Object2', 'Object3', 'Object4']

/** A schema with a bit of everything, whose resolvers do what the seed of a run says. */
export function makeSchema(seed: number): GraphQLSchema {
  const random = new Random(seedOf('schema', seed))
  const leaves = new GraphQLSchema({ types: makeLeaves(random), assumeValid: true })
  const sdl = parse([...makeInputs(random), ...makeTypes(random)].join('\n'))
  const schema = extendSchema(leaves, sdl, { assumeValid: true, assumeValidSDL: true })
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) Object.assign(type, { resolveType: makeResolveType(random) })
    else if (isObjectType(type) && !type.name.startsWith('__')) addResolvers(type, random)
  }
  return schema
}

/** The types of output. Wherever a name of a field occurs it means the same, so that fields can always be merged. */
function makeTypes(random: Random): string[] {
  const composites = [...objects, 'Interface0', 'Interface1', 'Union0', 'Union1']
  const pool = Array.from({ length: 12 }, (_, at) => {
    const name = random.chance(0.03) ? `toString${at}` : `field${at}`
    const type = random.pick(at % 2 === 0 ? leafNames : composites)
    const names = random.chance(0.4) ? ['one', 'two'].slice(random.below(2)) : []
    const given = names.map((one) => `${one}: ${makeArgument(random, inputNames)}`)
    return `${name}${given.length > 0 ? `(${given.join(' ')})` : ''}: ${wrap(random, type)}`
  })
  const some = (most: number): string[] => Array.from({ length: most }, () => random.pick(pool))
  const fields = (all: readonly string[]): string => `{ ${[...new Set(all)].join(' ')} }`
  const inherits = random.chance(0.5)
  const ofFirst = some(2)
  const ofSecond = [...(inherits ? ofFirst : []), ...some(2)]
  const ofObjects = objects.map((name) => {
    const isSecond = random.chance(0.5)
    const isFirst = random.chance(0.5) || (isSecond && inherits)
    const interfaces = [...(isFirst ? ['Interface0'] : []), ...(isSecond ? ['Interface1'] : [])]
    const own = [...(isFirst ? ofFirst : []), ...(isSecond ? ofSecond : []), ...some(5)]
    const head = interfaces.length > 0 ? ` implements ${interfaces.join(' & ')}` : ''
    return `type ${name}${head} ${fields(own)}`
  })
  const unions = ['Union0', 'Union1'].map((name) => {
    const members = objects.filter(() => random.chance(0.5))
    return `union ${name} = ${members.length > 0 ? members.join(' | ') : 'Object0'}`
  })
  return [
    `interface Interface0 ${fields(ofFirst)}`,
    `interface Interface1${inherits ? ' implements Interface0' : ''} ${fields(ofSecond)}`,
    ...ofObjects,
    ...unions,
    `type Query ${fields(pool)} type Mutation ${fields(pool)}`,
    'schema { query: Query mutation: Mutation }',
  ]
}

const inputNames = [...leafNames, 'Filter', 'Range', 'Choice']

/** Input objects that hold one another. */
function makeInputs(random: Random): string[] {
  return ['Filter', 'Range', 'Choice'].map((name, index) => {
    const known = inputNames.slice(0, leafNames.length + index)
    const isOneOf = name === 'Choice'
    const fields = Array.from({ length: 1 + random.below(3) }, (_, at) => {
      const type = isOneOf ? random.pick(known) : makeArgument(random, known)
      return `f${at}: ${type}`
    })
    if (name === 'Filter') fields.push('not: Filter')
    return `input ${name}${isOneOf ? ' @oneOf' : ''} { ${fields.join(' ')} }`
  })
}

/** The type of an argument or an input field, now and then with a default. */
function makeArgument(random: Random, names: readonly string[]): string {
  const name = random.pick(names)
  const type = wrap(random, name, [0, 0, 0, 0, 1, 2], 0.25)
  return random.chance(0.25) ? `${type} = ${defaultFor(random, type, name)}` : type
}

function defaultFor(random: Random, type: string, name: string): string {
  if (!type.endsWith('!') && random.chance(0.2)) return 'null'
  if (type.startsWith('[')) return '[]'
  return defaults[name] ?? '{}'
}

// oxfmt-ignore
const defaults: { readonly [name: string]: string } = {
  Int: '5', Float: '2.5', String: '"by default"', Boolean: 'true', ID: '"id"', Anything: '{ any: ["thing"] }', Picky: '3', Color: 'GREEN',
}

/** Lists up to three deep, with and without nulls at each level. */
function wrap(random: Random, name: string, depths = [0, 0, 0, 1, 1, 2, 3], required = 0.35) {
  const end = (): string => (random.chance(required) ? '!' : '')
  let type = name + end()
  for (let left = random.pick(depths); left > 0; left--) type = `[${type}]${end()}`
  return type
}

function addResolvers(type: GraphQLObjectType, random: Random): void {
  const habits: SourceHabits = { plain: random.chance(0.5), named: random.chance(0.7) }
  const isTypeOf = !habits.named || random.chance(0.1) ? makeIsTypeOf(type.name) : undefined
  Object.assign(type, { extensions: { [habitsKey]: habits }, isTypeOf })
  for (const field of Object.values(type.getFields())) {
    if (random.chance(0.5)) Object.assign(field, { resolve })
    for (const argument of field.args) if (random.chance(0.1)) setDefault(argument)
  }
}

/** Defaults that code gives are internal values, and may be anything. */
function setDefault(argument: GraphQLArgument): void {
  Object.assign(argument, { default: undefined, defaultValue: { internal: true } })
}

function resolve(_source: unknown, args: object, run: Run, info: GraphQLResolveInfo): unknown {
  recordCall(run, info, args, 'resolver')
  const key = pathKey(info.path)
  return valueAt({ run, schema: info.schema, key, type: info.returnType })
}
