import { getNamedType, isAbstractType, isCompositeType, isNonNullType, parse } from 'graphql'
import type { GraphQLCompositeType, GraphQLField, GraphQLInputType, GraphQLSchema } from 'graphql'
import { InputMaker } from './input-values.js'
import type { Random } from './random.js'

/** An operation with what its variables are to be, several times. */
export interface Operation {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: readonly { readonly [name: string]: unknown }[]
}

export function parseOrNothing(query: string) {
  try {
    return parse(query)
  } catch {
    return undefined
  }
}

/** Makes an operation that is valid, but for a share of mistakes that only execution notices. */
export function makeOperation(random: Random, schema: GraphQLSchema, faults = 0): Operation {
  return new OperationMaker(random, schema, faults).make()
}

// Not `then` and `toJSON`: graphql-js calls functions of these names, see the rows of differences.
const oddAliases = ['__proto__', 'constructor', 'length', '_', 'hasOwnProperty', 'valueOf']

/** What GraphQL ignores: it may stand between any two tokens. */
const ignored = [' ', '\n', '\t', '\r\n', ',', '\ufeff', '# { ( [ """\n', '#"\r', '  ']

class OperationMaker {
  readonly #random: Random
  readonly #schema: GraphQLSchema
  readonly #faults: number
  readonly #inputs: InputMaker
  readonly #fragments: { name: string; type: GraphQLCompositeType; text: string }[] = []
  readonly #variables: { name: string; type: GraphQLInputType | 'flag'; declared: string }[] = []
  /** What each response name stands for, so that fields can be merged wherever they meet. */
  readonly #meaning = new Map<string, string>()
  readonly #mostFields: number
  #fields = 0
  #names = 0

  constructor(random: Random, schema: GraphQLSchema, faults: number) {
    this.#random = random
    this.#schema = schema
    this.#faults = faults
    this.#inputs = new InputMaker(random, faults)
    this.#mostFields = random.pick([3, 6, 6, 10, 25, 60])
  }

  make(): Operation {
    const random = this.#random
    const kind = random.chance(0.2) ? 'mutation' : 'query'
    const root = kind === 'query' ? this.#schema.getQueryType() : this.#schema.getMutationType()
    const selections = this.#selections(root!, 0)
    const declared = this.#variables.map((one) => one.declared).join(this.#gap())
    const name = random.chance(0.3) ? 'Main' : undefined
    const others = name !== undefined && random.chance(0.3) ? ['query Other { __typename }'] : []
    const propagation = this.#fails(5) ? ' @experimental_disableErrorPropagation' : ''
    const head = `${kind} ${name ?? ''}${declared && `(${declared})`}${propagation}`
    const isShort = head === 'query ' && random.chance(0.5)
    const operation = isShort ? selections : `${head}${this.#gap()}${selections}`
    const fragments = this.#fragments.map((one) => one.text)
    const definitions = [operation, ...others, ...fragments]
    const ordered = random.chance(0.3) ? definitions.toReversed() : definitions
    return {
      query: ordered.join(this.#gap('\n')),
      operationName: others.length > 0 || random.chance(0.5) ? name : undefined,
      variables: Array.from({ length: declared === '' ? 1 : 1 + random.below(4) }, () =>
        this.#valuesOfVariables(),
      ),
    }
  }

  #fails(times = 1): boolean {
    return this.#random.chance(this.#faults * times)
  }

  #gap(separator = ' '): string {
    return this.#random.chance(0.9) ? separator : separator + this.#random.pick(ignored)
  }

  #valuesOfVariables(): { readonly [name: string]: unknown } {
    const random = this.#random
    const values: { [name: string]: unknown } = {}
    for (const { name, type, declared } of this.#variables) {
      const isGiven = declared.endsWith('!') ? !this.#fails() : random.chance(0.7)
      if (!isGiven) continue
      values[name] = type === 'flag' ? random.chance(0.5) : this.#inputs.value(type)
    }
    return values
  }

  #selections(type: GraphQLCompositeType, level: number): string {
    const count = 1 + this.#random.below(level === 0 ? 5 : 4)
    const made = Array.from({ length: count }, () => this.#selection(type, level))
    return `{${this.#gap()}${made.join(this.#gap())}${this.#gap('')}}`
  }

  #selection(type: GraphQLCompositeType, level: number): string {
    const random = this.#random
    const mayNest = level < 6 && this.#fields < this.#mostFields
    if (mayNest && random.chance(0.12)) return this.#inline(type, level)
    if (mayNest && random.chance(0.12)) return this.#spread(type, level)
    if (this.#fails()) return 'fieldThatIsNot'
    if (level === 0 && this.#fails()) return '__schema { queryType { name } }'
    const fields = 'getFields' in type ? Object.values(type.getFields()) : []
    const usable = fields.filter((field) => mayNest || !isCompositeType(getNamedType(field.type)))
    if (usable.length === 0 && mayNest && isAbstractType(type)) return this.#inline(type, level)
    if (usable.length === 0 || random.chance(0.06)) return this.#typename()
    return this.#field(random.pick(usable), level)
  }

  #typename(): string {
    const alias = this.#random.chance(0.2) ? `t${this.#names++}:${this.#gap()}` : ''
    return `${alias}__typename${this.#directives()}`
  }

  #field(field: GraphQLField<unknown, unknown>, level: number): string {
    this.#fields++
    const given = this.#argumentsOf(field)
    const name = this.#responseName(field.name, given)
    const type = getNamedType(field.type)
    const inner = isCompositeType(type) ? this.#gap() + this.#selections(type, level + 1) : ''
    return `${name}${given}${this.#directives()}${inner}`
  }

  /** The name, or an alias where the name means something else already. */
  #responseName(name: string, given: string): string {
    const random = this.#random
    const meaning = `${name}${given}`
    const alias = this.#fails(2) ? random.pick(oddAliases) : `alias${this.#names}`
    const wanted = random.chance(0.12) ? alias : name
    const known = this.#meaning.get(wanted) ?? meaning
    const response = known === meaning ? wanted : `alias${this.#names}`
    this.#names++
    this.#meaning.set(response, meaning)
    return response === name ? name : `${response}:${this.#gap()}${name}`
  }

  #argumentsOf({ args }: GraphQLField<unknown, unknown>): string {
    const given = args.filter(({ type, defaultValue }) =>
      isNonNullType(type) && defaultValue === undefined
        ? !this.#fails(2)
        : this.#random.chance(0.5),
    )
    if (given.length === 0) return ''
    const texts = given.map((one) => `${one.name}:${this.#gap()}${this.#literal(one.type, 0)}`)
    return `(${texts.join(this.#gap())})`
  }

  /** A literal, at any depth of which a variable may stand. */
  #literal(type: GraphQLInputType, level: number): string {
    if (this.#random.chance(level === 0 ? 0.35 : 0.15)) return this.#variable(type)
    return this.#inputs.literal(type, level, (inner) => this.#literal(inner, level + 1))
  }

  /** A literal without variables. */
  #constant(type: GraphQLInputType, level = 0): string {
    return this.#inputs.literal(type, level, (inner) => this.#constant(inner, level + 1))
  }

  #variable(type: GraphQLInputType): string {
    const random = this.#random
    const known = this.#variables.filter((one) => String(one.type) === String(type))
    if (known.length > 0 && random.chance(0.4)) return `$${random.pick(known).name}`
    const declared = isNonNullType(type) && this.#fails(10) ? type.ofType : type
    const hasDefault = !isNonNullType(declared) && random.chance(0.3)
    const value = hasDefault ? ` =${this.#gap()}${this.#constant(declared)}` : ''
    return this.#declare(declared, `${String(declared)}${value}`)
  }

  #declare(type: GraphQLInputType | 'flag', text: string): string {
    const name = `v${this.#names++}`
    this.#variables.push({ name, type, declared: `$${name}: ${text}` })
    return `$${name}`
  }

  #directives(): string {
    const random = this.#random
    if (random.chance(0.85)) return ''
    const one = (name: string): string => `${this.#gap()}@${name}(if: ${this.#condition()})`
    if (random.chance(0.2)) return one('skip') + one('include')
    return one(random.chance(0.5) ? 'skip' : 'include')
  }

  #condition(): string {
    const random = this.#random
    if (random.chance(0.3)) return String(random.chance(0.5))
    const flags = this.#variables.filter(({ type }) => type === 'flag')
    if (flags.length > 0 && random.chance(0.5)) return `$${random.pick(flags).name}`
    const isOptional = random.chance(0.5)
    return this.#declare('flag', isOptional ? `Boolean = ${random.chance(0.7)}` : 'Boolean!')
  }

  #inline(type: GraphQLCompositeType, level: number): string {
    const random = this.#random
    const inner = random.chance(0.2) ? undefined : random.pick(this.#conditions(type))
    const condition = inner === undefined ? '' : ` on ${inner.name}`
    const selections = this.#selections(inner ?? type, level + 1)
    return `...${condition}${this.#directives()}${this.#gap()}${selections}`
  }

  #spread(type: GraphQLCompositeType, level: number): string {
    const random = this.#random
    const types = this.#conditions(type)
    const known = this.#fragments.filter((fragment) => types.includes(fragment.type))
    if (known.length > 0 && random.chance(0.6)) {
      return `...${random.pick(known).name}${this.#directives()}`
    }
    const inner = random.pick(types)
    const name = `F${this.#names++}`
    // It is known only when it is whole, so no cycle can come about.
    const text = `fragment ${name} on ${inner.name} ${this.#selections(inner, level + 1)}`
    this.#fragments.push({ name, type: inner, text })
    return `...${this.#gap('')}${name}${this.#directives()}`
  }

  /** Types for a fragment within a type: those that overlap. */
  #conditions(type: GraphQLCompositeType): GraphQLCompositeType[] {
    const possible = (one: GraphQLCompositeType): readonly GraphQLCompositeType[] =>
      isAbstractType(one) ? this.#schema.getPossibleTypes(one) : [one]
    const ours = possible(type)
    const isAny = this.#fails(5)
    return Object.values(this.#schema.getTypeMap()).filter(
      (one): one is GraphQLCompositeType =>
        isCompositeType(one) &&
        !one.name.startsWith('__') &&
        (isAny || one === type || possible(one).some((other) => ours.includes(other))),
    )
  }
}
