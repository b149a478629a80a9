import type {
  ConstDirectiveNode,
  ConstValueNode,
  GraphQLArgument,
  GraphQLField,
  ValueNode,
} from 'graphql'

/** What the schema says of the cost of a field, by `@cost` and `@listSize` of the IBM specification too. */
export interface FieldCost {
  readonly typeName: string
  readonly isList: boolean
  /** Of the field itself: 1 unless the schema says otherwise. */
  readonly weight: number
  /** Added for each argument that is given. */
  readonly argumentWeights: ReadonlyMap<string, number>
  /** The arguments that say how long the list will be, with the sizes of their defaults. */
  readonly sizeArguments: ReadonlyMap<string, number | undefined>
  readonly assumedSize: number | undefined
  /** The fields below that hold the list, as `edges` of a connection does; empty where the field is the list. */
  readonly sizedFields: readonly string[]
}

/** Reads the cost of a field. Only a schema made from SDL has directives to read. */
export function readFieldCost(
  field: GraphQLField<unknown, unknown>,
  usualSizeArguments: readonly string[],
): FieldCost {
  const type = String(field.type)
  const directives = field.astNode?.directives
  const assumed = argumentOf(directives, 'listSize', 'assumedSize')
  const slicing = stringsOf(argumentOf(directives, 'listSize', 'slicingArguments'))
  const names = slicing ?? usualSizeArguments
  const argumentWeights = new Map<string, number>()
  for (const { name, astNode } of field.args) {
    const weight = weightOf(astNode?.directives)
    if (weight !== undefined) argumentWeights.set(name, weight)
  }
  return {
    typeName: type.replaceAll(/[[\]!]/g, ''),
    isList: type.startsWith('['),
    weight: weightOf(directives) ?? 1,
    argumentWeights,
    sizeArguments: new Map(
      field.args
        .filter(({ name }) => names.includes(name))
        .map((argument) => [argument.name, sizeOfDefault(argument)]),
    ),
    assumedSize: toLiteralSize(assumed),
    sizedFields: stringsOf(argumentOf(directives, 'listSize', 'sizedFields')) ?? [],
  }
}

/** The length of a list that a value asks for; what is no size, such as -1 for "all", says nothing. */
export function toSize(value: unknown): number | undefined {
  // A size argument may be of a type that takes numbers as text, such as ID.
  const size = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof size !== 'number' || !(size >= 0)) return undefined
  return Math.min(size, Number.MAX_SAFE_INTEGER)
}

/** The length that a literal asks for. */
export function toLiteralSize(value: ValueNode | undefined): number | undefined {
  return value !== undefined && 'value' in value ? toSize(value.value) : undefined
}

/** graphql 17 keeps a default as a value or a literal, 16 as a value. */
function sizeOfDefault(argument: GraphQLArgument): number | undefined {
  const { defaultValue, default: input } = argument as {
    readonly defaultValue?: unknown
    readonly default?: { readonly value?: unknown; readonly literal?: ValueNode }
  }
  return toLiteralSize(input?.literal) ?? toSize(input?.value ?? defaultValue)
}

type Directives = readonly ConstDirectiveNode[] | undefined

/** The weight is a string, since the specification lets it be a number of any kind. */
function weightOf(directives: Directives): number | undefined {
  const value = argumentOf(directives, 'cost', 'weight')
  // A negative weight would let a client pay for the dear with the cheap.
  return toLiteralSize(value)
}

function argumentOf(
  directives: Directives,
  directive: string,
  argument: string,
): ConstValueNode | undefined {
  return directives
    ?.find(({ name }) => name.value === directive)
    ?.arguments?.find(({ name }) => name.value === argument)?.value
}

function stringsOf(value: ConstValueNode | undefined): readonly string[] | undefined {
  if (value?.kind === 'StringValue') return [value.value]
  if (value?.kind !== 'ListValue') return undefined
  return value.values.flatMap((one) => (one.kind === 'StringValue' ? [one.value] : []))
}
