import {
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
  type GraphQLArgumentConfig,
  type GraphQLFieldConfig,
  type GraphQLLeafType,
  type GraphQLNamedOutputType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql'
import { Random, seedOf } from '../../fuzz/random.js'
import { makeArgument, makeInputs, makeLeaves } from './inputs.js'
import { pathKey, recordCall } from './record-call.js'
import type { Run } from './run.js'
import { habitsKey, type SourceHabits } from './sources.js'
import { makeIsTypeOf, makeResolveType } from './type-resolvers.js'
import { valueAt } from './values.js'

/** A field of the pool: wherever the name occurs it means the same, so that fields can always be merged. */
interface PoolField {
  readonly name: string
  readonly typeName: string
  wrap(type: GraphQLNamedOutputType): GraphQLOutputType
  readonly args: { readonly [name: string]: GraphQLArgumentConfig }
}

const objectNames = ['Object0', 'Object1', 'Object2', 'Object3', 'Object4']
const interfaceNames = ['Interface0', 'Interface1']
const unionNames = ['Union0', 'Union1']

/** A schema with a bit of everything, whose resolvers do what the seed of a run says. */
export function makeSchema(seed: number): GraphQLSchema {
  return new SchemaMaker(new Random(seedOf('schema', seed))).make()
}

class SchemaMaker {
  readonly #random: Random
  readonly #types = new Map<string, GraphQLNamedOutputType>()
  readonly #pool: readonly PoolField[]
  readonly #ofInterface = new Map<string, readonly PoolField[]>()
  #schema: GraphQLSchema | undefined

  constructor(random: Random) {
    this.#random = random
    const leaves = makeLeaves(random)
    for (const leaf of leaves) this.#types.set(leaf.name, leaf)
    this.#pool = this.#makePool(leaves)
  }

  make(): GraphQLSchema {
    const random = this.#random
    const [first, second] = interfaceNames as [string, string]
    this.#ofInterface.set(first, this.#someFields(2))
    const inherits = random.chance(0.5)
    const inherited = inherits ? (this.#ofInterface.get(first) ?? []) : []
    this.#ofInterface.set(second, [...new Set([...inherited, ...this.#someFields(2)])])
    this.#addInterface(first, [])
    this.#addInterface(second, inherits ? [first] : [])
    for (const name of objectNames) this.#addObject(name, this.#someInterfaces(inherits))
    for (const name of unionNames) this.#addUnion(name)
    const query = this.#makeObject('Query', [], this.#pool)
    const mutation = this.#makeObject('Mutation', [], this.#pool)
    this.#schema = new GraphQLSchema({
      query,
      mutation,
      types: [...this.#types.values()],
      assumeValid: true,
    })
    return this.#schema
  }

  #makePool(leaves: readonly GraphQLLeafType[]): readonly PoolField[] {
    const random = this.#random
    const inputs = makeInputs(random, leaves)
    const composites = [...objectNames, ...interfaceNames, ...unionNames]
    return Array.from({ length: 12 }, (_, at) => {
      const typeName = at % 2 === 0 ? random.pick(leaves).name : random.pick(composites)
      const shape = makeWrap(random)
      const names = random.chance(0.4) ? ['one', 'two'].slice(random.below(2)) : []
      return {
        name: random.chance(0.03) ? ['constructor', 'toString'][at % 2]! + at : `field${at}`,
        typeName,
        wrap: shape,
        args: Object.fromEntries(names.map((name) => [name, makeArgument(random, inputs)])),
      }
    })
  }

  #someFields(most: number): readonly PoolField[] {
    return [...new Set(Array.from({ length: most }, () => this.#random.pick(this.#pool)))]
  }

  #someInterfaces(inherits: boolean): readonly string[] {
    const names = interfaceNames.filter(() => this.#random.chance(0.5))
    const misses = inherits && names.includes('Interface1') && !names.includes('Interface0')
    return misses ? interfaceNames : names
  }

  #addInterface(name: string, interfaces: readonly string[]): void {
    const fields = this.#ofInterface.get(name) ?? []
    const resolveType = makeResolveType(this.#random)
    const type = new GraphQLInterfaceType({
      name,
      interfaces: () => interfaces.map((one) => this.#types.get(one) as GraphQLInterfaceType),
      fields: () => Object.fromEntries(fields.map((field) => [field.name, this.#config(field)])),
      ...(resolveType && { resolveType }),
    })
    this.#types.set(name, type)
  }

  #addUnion(name: string): void {
    const members = objectNames.filter(() => this.#random.chance(0.5))
    const types = members.length === 0 ? objectNames.slice(0, 1) : members
    const resolveType = makeResolveType(this.#random)
    const type = new GraphQLUnionType({
      name,
      types: () => types.map((one) => this.#types.get(one) as GraphQLObjectType),
      ...(resolveType && { resolveType }),
    })
    this.#types.set(name, type)
  }

  #addObject(name: string, interfaces: readonly string[]): void {
    const inherited = interfaces.flatMap((one) => this.#ofInterface.get(one) ?? [])
    const fields = [...new Set([...inherited, ...this.#someFields(5)])]
    this.#types.set(name, this.#makeObject(name, interfaces, fields))
  }

  #makeObject(
    name: string,
    interfaces: readonly string[],
    fields: readonly PoolField[],
  ): GraphQLObjectType {
    const random = this.#random
    const habits: SourceHabits = { plain: random.chance(0.5), named: random.chance(0.7) }
    const isTypeOf = !habits.named || random.chance(0.1) ? makeIsTypeOf(name) : undefined
    const withResolver = new Set(fields.filter(() => random.chance(0.5)))
    return new GraphQLObjectType({
      name,
      extensions: { [habitsKey]: habits },
      interfaces: () => interfaces.map((one) => this.#types.get(one) as GraphQLInterfaceType),
      fields: () =>
        Object.fromEntries(
          fields.map((field) => [field.name, this.#config(field, withResolver.has(field))]),
        ),
      ...(isTypeOf && { isTypeOf }),
    })
  }

  #config(field: PoolField, hasResolver = false): GraphQLFieldConfig<unknown, Run> {
    const type = field.wrap(this.#types.get(field.typeName) as GraphQLNamedOutputType)
    const resolve = (
      _source: unknown,
      args: object,
      run: Run,
      info: GraphQLResolveInfo,
    ): unknown => {
      recordCall(run, info, args, 'resolver')
      const key = pathKey(info.path)
      return valueAt({ run, schema: info.schema, key, type })
    }
    return { type, args: { ...field.args }, ...(hasResolver && { resolve }) }
  }
}

/** Lists up to three deep, with and without nulls at each level. */
function makeWrap(random: Random): (type: GraphQLNamedOutputType) => GraphQLOutputType {
  const depth = random.pick([0, 0, 0, 1, 1, 2, 3])
  const required = Array.from({ length: depth + 1 }, () => random.chance(0.35))
  return (type) => {
    let wrapped: GraphQLOutputType = required[0] ? new GraphQLNonNull(type) : type
    for (const isRequired of required.slice(1)) {
      const list: GraphQLList<GraphQLOutputType> = new GraphQLList(wrapped)
      wrapped = isRequired ? new GraphQLNonNull(list) : list
    }
    return wrapped
  }
}
