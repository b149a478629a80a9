import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql'
import { makeLiteral, makeValue } from './input-values.js'
import type { Random } from '../../fuzz/random.js'

/** A request whose document is valid by its making. */
export interface ValidRequest {
  readonly query: string
  readonly operationName?: string
  readonly variables: { readonly [name: string]: unknown }
}

/** Makes a valid document for a schema, with the variables that it wants. */
export function makeDocument(random: Random, schema: GraphQLSchema): ValidRequest {
  return new DocumentMaker(random, schema).make()
}

interface Fragment {
  readonly name: string
  readonly type: GraphQLCompositeType
  readonly text: string
}

class DocumentMaker {
  readonly #random: Random
  readonly #schema: GraphQLSchema
  readonly #fragments: Fragment[] = []
  readonly #declarations: string[] = []
  readonly #variables: { [name: string]: unknown } = {}
  /** The arguments of a field without an alias must be the same everywhere, or fields could not be merged. */
  readonly #arguments = new Map<string, string>()
  #fields = 0
  #names = 0

  constructor(random: Random, schema: GraphQLSchema) {
    this.#random = random
    this.#schema = schema
  }

  make(): ValidRequest {
    const random = this.#random
    const kind = random.chance(0.1) ? 'mutation' : 'query'
    const root = kind === 'query' ? this.#schema.getQueryType() : this.#schema.getMutationType()
    const selections = this.#selections(root!, 0)
    const declared =
      this.#declarations.length > 0 ? `(${this.#declarations.join(this.#gap(','))})` : ''
    const others = random.chance(0.1) ? ['query Other { __typename }'] : []
    const name = others.length > 0 || random.chance(0.5) ? 'Main' : ''
    const isShort = kind === 'query' && name === '' && declared === '' && random.chance(0.5)
    const operation = isShort ? selections : `${kind} ${name}${declared}${this.#gap()}${selections}`
    const fragments = this.#fragments.map(
      (one) => `fragment ${one.name} on ${one.type.name} ${one.text}`,
    )
    const definitions = [operation, ...others, ...fragments]
    const query = this.#shuffled(definitions).join(this.#gap())
    const isNamed = others.length > 0 || (name !== '' && random.chance(0.5))
    return { query, variables: this.#variables, ...(isNamed && { operationName: name }) }
  }

  #shuffled(parts: readonly string[]): string[] {
    return this.#random.chance(0.5) ? parts.toReversed() : [...parts]
  }

  /** What GraphQL ignores: it may stand between any two tokens. */
  #gap(separator = ' '): string {
    const random = this.#random
    if (random.chance(0.8)) return separator
    return (
      separator +
      random.pick([' ', '\n', '\t', '\r\n', ',', '\ufeff', '# { ( [ """\n', '#"\r', '  '])
    )
  }

  #selections(type: GraphQLCompositeType, level: number): string {
    const random = this.#random
    const count = 1 + random.below(level === 0 ? 5 : 3)
    const made: string[] = []
    for (let left = count; left > 0; left--) made.push(this.#selection(type, level))
    return `{${this.#gap()}${made.join(this.#gap())}${this.#gap('')}}`
  }

  #selection(type: GraphQLCompositeType, level: number): string {
    const random = this.#random
    const mayNest = level < 6 && this.#fields < 60
    if (mayNest && random.chance(0.15)) return this.#inline(type, level)
    if (mayNest && random.chance(0.15)) return this.#spread(type, level)
    const fields = 'getFields' in type ? Object.values(type.getFields()) : []
    const usable = fields.filter((field) => mayNest || !isCompositeType(getNamedType(field.type)))
    if (usable.length === 0 || random.chance(0.05)) return this.#typename()
    return this.#field(random.pick(usable), level)
  }

  #typename(): string {
    return this.#random.chance(0.2) ? `t${this.#names++}: __typename` : '__typename'
  }

  #field(field: GraphQLField<unknown, unknown>, level: number): string {
    this.#fields++
    const random = this.#random
    const alias = random.chance(0.1) ? `a${this.#names++}${this.#gap('')}:${this.#gap()}` : ''
    const given = alias === '' ? this.#sharedArguments(field) : this.#argumentsOf(field)
    const type = getNamedType(field.type)
    const inner = isCompositeType(type) ? this.#gap() + this.#selections(type, level + 1) : ''
    return `${alias}${field.name}${given}${this.#directives()}${inner}`
  }

  /** Fields that can meet have the same arguments, which the schema sees to. */
  #sharedArguments(field: GraphQLField<unknown, unknown>): string {
    const key = [
      field.name,
      ...field.args.map(({ name, type }) => `${name} ${String(type)}`),
    ].join()
    const made = this.#arguments.get(key) ?? this.#argumentsOf(field)
    this.#arguments.set(key, made)
    return made
  }

  #argumentsOf({ args }: GraphQLField<unknown, unknown>): string {
    const given = args.filter(({ type }) => isNonNullType(type) || this.#random.chance(0.4))
    if (given.length === 0) return ''
    const texts = given.map(
      (argument) => `${argument.name}:${this.#gap()}${this.#argument(argument)}`,
    )
    return `(${texts.join(this.#gap(','))})`
  }

  #argument({ type }: GraphQLArgument): string {
    return this.#random.chance(0.3) ? this.#variable(type) : makeLiteral(this.#random, type)
  }

  #variable(type: GraphQLInputType): string {
    const random = this.#random
    const name = `v${this.#names++}`
    const byDefault = !isNonNullType(type) && random.chance(0.3)
    const declared = byDefault ? `${this.#gap('=')}${makeLiteral(this.#random, type)}` : ''
    this.#declarations.push(`$${name}: ${String(type)}${declared}`)
    if (isNonNullType(type) || random.chance(0.7))
      this.#variables[name] = makeValue(this.#random, type)
    return `$${name}`
  }

  #directives(): string {
    const random = this.#random
    if (random.chance(0.9)) return ''
    const condition = random.chance(0.5) ? String(random.chance(0.5)) : this.#flag()
    return `${this.#gap()}@${random.pick(['include', 'skip'])}(if: ${condition})`
  }

  #flag(): string {
    const name = `v${this.#names++}`
    this.#declarations.push(`$${name}: Boolean!`)
    this.#variables[name] = this.#random.chance(0.5)
    return `$${name}`
  }

  #inline(type: GraphQLCompositeType, level: number): string {
    const inner = this.#random.chance(0.3) ? undefined : this.#random.pick(this.#overlapping(type))
    const condition = inner === undefined ? '' : ` on ${inner.name}`
    return `...${condition}${this.#directives()}${this.#gap()}${this.#selections(inner ?? type, level + 1)}`
  }

  #spread(type: GraphQLCompositeType, level: number): string {
    const random = this.#random
    const types = this.#overlapping(type)
    const known = this.#fragments.filter((fragment) => types.includes(fragment.type))
    if (known.length > 0 && random.chance(0.6)) {
      return `...${random.pick(known).name}${this.#directives()}`
    }
    const inner = random.pick(types)
    const name = `F${this.#names++}`
    // It is known only when it is whole, so no cycle can come about.
    const text = this.#selections(inner, level + 1)
    this.#fragments.push({ name, type: inner, text })
    return `...${this.#gap('')}${name}${this.#directives()}`
  }

  /** The types that a fragment may have within a type. */
  #overlapping(type: GraphQLCompositeType): GraphQLCompositeType[] {
    const possible = (one: GraphQLCompositeType): readonly GraphQLCompositeType[] =>
      isAbstractType(one) ? this.#schema.getPossibleTypes(one) : [one]
    const ours = possible(type)
    return Object.values(this.#schema.getTypeMap()).filter(
      (one): one is GraphQLCompositeType =>
        isCompositeType(one) &&
        !one.name.startsWith('__') &&
        possible(one).some((other) => ours.includes(other)),
    )
  }
}
