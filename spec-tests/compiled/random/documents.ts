import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql'
import type { Random } from '../../fuzz/random.js'
import { literalFor, variableFor } from './input-values.js'

/** An operation with what its variables are to be, several times: a plan serves them all. */
export interface Operation {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: readonly { readonly [name: string]: unknown }[]
}

/** Makes an operation that is valid, but for few mistakes that only execution notices. */
export function makeOperation(random: Random, schema: GraphQLSchema): Operation {
  return new OperationMaker(random, schema).make()
}

// Not `then` and `toJSON`: graphql-js calls functions of these names, see the rows of differences.
const oddAliases = ['__proto__', 'constructor', 'length', '_', 'hasOwnProperty', 'valueOf']

class OperationMaker {
  readonly #random: Random
  readonly #schema: GraphQLSchema
  readonly #fragments: { name: string; type: GraphQLCompositeType; text: string }[] = []
  readonly #variables: {
    name: string
    type: GraphQLInputType | 'flag' | 'optional flag'
    declared: string
  }[] = []
  /** What each response name stands for, so that fields can be merged wherever they meet. */
  readonly #meaning = new Map<string, string>()
  readonly #mostFields: number
  #fields = 0
  #names = 0

  constructor(random: Random, schema: GraphQLSchema) {
    this.#random = random
    this.#schema = schema
    this.#mostFields = random.pick([3, 6, 6, 10, 25])
  }

  make(): Operation {
    const random = this.#random
    const kind = random.chance(0.25) ? 'mutation' : 'query'
    const root = kind === 'query' ? this.#schema.getQueryType() : this.#schema.getMutationType()
    const selections = this.#selections(root!, 0)
    const declared = this.#variables.map((one) => one.declared).join(' ')
    const name = random.chance(0.2) ? 'Main' : undefined
    const propagation = random.chance(0.05) ? ' @experimental_disableErrorPropagation' : ''
    const operation = `${kind} ${name ?? ''}${declared === '' ? '' : `(${declared})`}${propagation} ${selections}`
    const others = name === undefined ? [] : ['query Other { __typename }']
    const fragments = this.#fragments.map(
      (one) => `fragment ${one.name} on ${one.type.name} ${one.text}`,
    )
    return {
      query: [operation, ...others, ...fragments].join('\n'),
      operationName: name,
      variables: Array.from({ length: declared === '' ? 1 : 1 + random.below(4) }, () =>
        this.#valuesOfVariables(),
      ),
    }
  }

  #valuesOfVariables(): { readonly [name: string]: unknown } {
    const random = this.#random
    const values: { [name: string]: unknown } = {}
    for (const { name, type } of this.#variables) {
      if (type === 'flag') values[name] = random.chance(0.5)
      else if (type === 'optional flag') {
        if (random.chance(0.5)) values[name] = random.chance(0.5)
      } else if (isNonNullType(type) ? random.chance(0.99) : random.chance(0.7)) {
        values[name] = variableFor(random, type)
      }
    }
    return values
  }

  #selections(type: GraphQLCompositeType, level: number): string {
    const count = 1 + this.#random.below(level === 0 ? 5 : 4)
    const made: string[] = []
    for (let left = count; left > 0; left--) made.push(this.#selection(type, level))
    return `{ ${made.join(' ')} }`
  }

  #selection(type: GraphQLCompositeType, level: number): string {
    const random = this.#random
    const mayNest = level < 5 && this.#fields < this.#mostFields
    if (mayNest && random.chance(0.12)) return this.#inline(type, level)
    if (mayNest && random.chance(0.12)) return this.#spread(type, level)
    if (random.chance(0.01)) return 'fieldThatIsNot'
    const fields = 'getFields' in type ? Object.values(type.getFields()) : []
    const usable = fields.filter((field) => mayNest || !isCompositeType(getNamedType(field.type)))
    if (usable.length === 0 && mayNest && isAbstractType(type)) return this.#inline(type, level)
    if (usable.length === 0 || random.chance(0.06)) return this.#typename()
    if (level === 0 && random.chance(0.005)) return this.#introspection()
    return this.#field(random.pick(usable), level)
  }

  #typename(): string {
    const alias = this.#random.chance(0.2) ? `t${this.#names++}: ` : ''
    return `${alias}__typename${this.#directives()}`
  }

  #introspection(): string {
    return this.#random.pick([
      '__schema { queryType { name } }',
      '__type(name: "Query") { name kind }',
      's: __schema { types { name } }',
    ])
  }

  #field(field: GraphQLField<unknown, unknown>, level: number): string {
    this.#fields++
    const given = this.#argumentsOf(field)
    const name = this.#responseName(field.name, given)
    const type = getNamedType(field.type)
    const inner = isCompositeType(type) ? ` ${this.#selections(type, level + 1)}` : ''
    return `${name}${given}${this.#directives()}${inner}`
  }

  /** The name, or an alias where the name means something else already. */
  #responseName(name: string, given: string): string {
    const random = this.#random
    const meaning = `${name}${given}`
    const alias = random.chance(0.02) ? random.pick(oddAliases) : `alias${this.#names}`
    const wanted = random.chance(0.12) ? alias : name
    const known = this.#meaning.get(wanted) ?? meaning
    const response = known === meaning ? wanted : `alias${this.#names}`
    this.#names++
    this.#meaning.set(response, meaning)
    return response === name ? name : `${response}: ${name}`
  }

  #argumentsOf({ args }: GraphQLField<unknown, unknown>): string {
    const random = this.#random
    const given = args.filter(({ type, defaultValue }) =>
      random.chance(isNonNullType(type) && defaultValue === undefined ? 0.98 : 0.5),
    )
    if (given.length === 0) return ''
    return `(${given.map((one) => `${one.name}: ${this.#argument(one)}`).join(' ')})`
  }

  #argument({ type }: GraphQLArgument): string {
    return this.#literal(type, 0)
  }

  /** A literal, at any depth of which a variable may stand. */
  #literal(type: GraphQLInputType, level: number): string {
    const random = this.#random
    if (random.chance(level === 0 ? 0.35 : 0.15)) return this.#variable(type)
    const isFaulty = random.chance(0.01)
    return literalFor(random, type, level, isFaulty, (inner) => this.#literal(inner, level + 1))
  }

  #variable(type: GraphQLInputType): string {
    const random = this.#random
    const known = this.#variables.filter((one) => String(one.type) === String(type))
    if (known.length > 0 && random.chance(0.4)) return `$${random.pick(known).name}`
    const name = `v${this.#names++}`
    const declared = random.chance(0.1) && isNonNullType(type) ? type.ofType : type
    const hasDefault = !isNonNullType(declared) && random.chance(0.3)
    const value = hasDefault ? ` = ${constant(random, declared)}` : ''
    this.#variables.push({
      name,
      type: declared,
      declared: `$${name}: ${String(declared)}${value}`,
    })
    return `$${name}`
  }

  #directives(): string {
    const random = this.#random
    if (random.chance(0.85)) return ''
    const one = (name: string): string => ` @${name}(if: ${this.#condition()})`
    if (random.chance(0.2)) return one('skip') + one('include')
    return one(random.chance(0.5) ? 'skip' : 'include')
  }

  #condition(): string {
    const random = this.#random
    if (random.chance(0.3)) return String(random.chance(0.5))
    const flags = this.#variables.filter(({ type }) => type === 'flag' || type === 'optional flag')
    if (flags.length > 0 && random.chance(0.5)) return `$${random.pick(flags).name}`
    const name = `flag${this.#names++}`
    const isOptional = random.chance(0.5)
    const declared = isOptional ? `Boolean = ${random.chance(0.7)}` : 'Boolean!'
    const type = isOptional ? 'optional flag' : 'flag'
    this.#variables.push({ name, type, declared: `$${name}: ${declared}` })
    return `$${name}`
  }

  #inline(type: GraphQLCompositeType, level: number): string {
    const random = this.#random
    const inner = random.chance(0.2) ? undefined : random.pick(this.#conditions(type))
    const condition = inner === undefined ? '' : ` on ${inner.name}`
    return `...${condition}${this.#directives()} ${this.#selections(inner ?? type, level + 1)}`
  }

  #spread(type: GraphQLCompositeType, level: number): string {
    const random = this.#random
    const types = this.#conditions(type)
    const known = this.#fragments.filter((fragment) => types.includes(fragment.type))
    if (known.length > 0 && random.chance(0.6))
      return `...${random.pick(known).name}${this.#directives()}`
    const inner = random.pick(types)
    const name = `F${this.#names++}`
    // It is known only when it is whole, so no cycle can come about.
    const text = this.#selections(inner, level + 1)
    this.#fragments.push({ name, type: inner, text })
    return `...${name}${this.#directives()}`
  }

  /** Types for a fragment within a type: usually one that overlaps. */
  #conditions(type: GraphQLCompositeType): GraphQLCompositeType[] {
    const possible = (one: GraphQLCompositeType): readonly GraphQLCompositeType[] =>
      isAbstractType(one) ? this.#schema.getPossibleTypes(one) : [one]
    const ours = possible(type)
    const isAny = this.#random.chance(0.05)
    return Object.values(this.#schema.getTypeMap()).filter(
      (one): one is GraphQLCompositeType =>
        isCompositeType(one) &&
        !one.name.startsWith('__') &&
        (isAny || one === type || possible(one).some((other) => ours.includes(other))),
    )
  }
}

/** A literal without variables. */
function constant(random: Random, type: GraphQLInputType): string {
  if (isNonNullType(type)) return constant(random, type.ofType)
  const isBare = isListType(type) || isInputObjectType(type) || isEnumType(type)
  return literalFor(random, type, isBare ? 2 : 1, false, (inner) => constant(random, inner))
}
