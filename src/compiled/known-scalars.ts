import type { GraphQLInputType, GraphQLOutputType, GraphQLScalarType } from 'graphql'
import { isNonNull } from '../graphql/execute/output-types.js'
import { splitsExecution, type GraphQLModule } from '../graphql/js/graphql.js'
import type { ValueKind } from './plan.js'

export type BuiltIn = 'String' | 'Int' | 'Float' | 'Boolean' | 'ID'

type ScalarMethod = (value: unknown) => unknown

/** A built-in scalar, and the methods it had at first. */
interface Known {
  readonly type: GraphQLScalarType
  readonly output: ScalarMethod
  readonly input: ScalarMethod
}

/**
 * The built-in scalars of a graphql module, as long as their methods are its own: an application that
 * replaces one gets what its methods give.
 */
export class KnownScalars {
  readonly #known: readonly Known[]
  readonly #is17: boolean

  constructor(module: GraphQLModule) {
    this.#is17 = splitsExecution(module)
    this.#known = (module.specifiedScalarTypes ?? []).map((type) => ({
      type,
      output: this.#outputOf(type),
      input: this.#inputOf(type),
    }))
  }

  #outputOf(type: GraphQLScalarType): ScalarMethod {
    return this.#is17 ? type.coerceOutputValue : type.serialize
  }

  #inputOf(type: GraphQLScalarType): ScalarMethod {
    return this.#is17 ? type.coerceInputValue : type.parseValue
  }

  #isUnchanged({ type, output, input }: Known): boolean {
    return this.#outputOf(type) === output && this.#inputOf(type) === input
  }

  /** Which of them are unchanged, as one number. */
  unchanged(): number {
    let all = 0
    for (const known of this.#known) all = all * 2 + (this.#isUnchanged(known) ? 1 : 0)
    return all
  }

  /** Its name, if it is built in and unchanged. */
  nameOf(type: object): BuiltIn | undefined {
    const known = this.#known.find((each) => each.type === type)
    if (known === undefined || !this.#isUnchanged(known)) return undefined
    return known.type.name as BuiltIn
  }

  kindOf(type: GraphQLOutputType): ValueKind {
    switch (type[Symbol.toStringTag]) {
      case 'GraphQLList':
        return 'list'
      case 'GraphQLObjectType':
        return 'object'
      case 'GraphQLInterfaceType':
      case 'GraphQLUnionType':
        return 'abstract'
      case 'GraphQLScalarType':
        return this.nameOf(type) ?? 'leaf'
      default:
        return 'leaf'
    }
  }

  /** Whether literals of a type always give the same, unchangeable value. */
  isSimple(type: GraphQLInputType): boolean {
    const nullable = (isNonNull(type) ? type.ofType : type) as GraphQLInputType
    return nullable[Symbol.toStringTag] === 'GraphQLEnumType' || this.nameOf(nullable) !== undefined
  }
}

/** Whether coercing a value as a built-in scalar would change nothing. */
export function isUsual(kind: ValueKind, value: unknown): value is string | number | boolean {
  switch (kind) {
    case 'String':
    case 'ID':
      return typeof value === 'string'
    case 'Boolean':
      return typeof value === 'boolean'
    case 'Float':
      return Number.isFinite(value)
    case 'Int':
      // oxlint-disable-next-line no-bitwise -- whether it has 32 bits
      return typeof value === 'number' && (value | 0) === value
    default:
      return false
  }
}
