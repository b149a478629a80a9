import type {
  ConstDirectiveNode,
  ConstValueNode,
  GraphQLArgument,
  GraphQLField,
  GraphQLInputType,
} from 'graphql'
import {
  countToRequestedSize,
  hasSizeField,
  toRequestedSize,
  type InputArgument,
  type RequestedSize,
} from './input-size.js'
import { defaultOf, inputObjectOf } from './input-value.js'
import { ItemCounts, listDepthOf } from './item-counts.js'
import { toLiteralSize } from './to-size.js'

/** The cost of one declaration of a field, including `@cost` and `@listSize` of the IBM specification. */
export interface FieldCost {
  readonly typeName: string
  /** How many lists are nested; 0 if the field is not a list. */
  readonly listDepth: number
  /** The cost of the field itself: 1 unless the schema says otherwise. */
  readonly weight: number
  readonly argumentTypes: ReadonlyMap<string, GraphQLInputType>
  /** Added for each argument that is present. */
  readonly argumentWeights: ReadonlyMap<string, number>
  /** The arguments that set the size of the list. */
  readonly sizeArguments: readonly SizeArgument[]
  /** The arguments that are input objects, which may contain sizes and lists of ids. */
  readonly inputArguments: readonly InputArgument[]
  /** The size fields of these input objects. */
  readonly sizeFields: readonly string[]
  /** Whether clients can request a size. */
  readonly asksForSize: boolean
  /** The arguments that are lists: a field that selects by ids returns as many items as there are ids. */
  readonly listArguments: readonly ListArgument[]
  readonly assumedSize: number | undefined
  /** The subfields that contain the list, such as `edges` of a connection; empty if the schema names none. */
  readonly sizedFields: readonly string[]
}

/** An argument that sets the size of a list. */
export interface SizeArgument {
  readonly name: string
  /** How many lists its type nests: a list sets the size by the number of its items. */
  readonly listDepth: number
  readonly byDefault: RequestedSize | undefined
}

/** An argument that is a list. */
interface ListArgument {
  readonly name: string
  readonly listDepth: number
  /** The number of items of its default. */
  readonly byDefault: number
}

/** Reads the cost of a field. Only schemas built from SDL have directives. */
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
  const lists = field.args.filter((argument) => listDepthOf(argument.type) > 0)
  const sized = field.args.filter(({ name }) => names.includes(name))
  const inputs = field.args.flatMap((argument) => {
    const input = inputObjectOf(argument.type)
    return input ? [{ name: argument.name, type: input, byDefault: defaultOf(argument) }] : []
  })
  // The specification refers to fields of input objects by path, such as "page.first".
  const sizeFields = names.map(lastName)
  return {
    typeName: type.replaceAll(/[[\]!]/g, ''),
    listDepth: listDepthOf(field.type),
    weight: weightOf(directives) ?? 1,
    argumentTypes: new Map(field.args.map((argument) => [argument.name, argument.type])),
    argumentWeights,
    sizeArguments: sized.map(toSizeArgument),
    inputArguments: inputs,
    sizeFields,
    asksForSize: sized.length > 0 || inputs.some((input) => hasSizeField(input.type, sizeFields)),
    listArguments: lists.map(toListArgument),
    assumedSize: toLiteralSize(assumed),
    sizedFields: (stringsOf(argumentOf(directives, 'listSize', 'sizedFields')) ?? []).map(lastName),
  }
}

function toSizeArgument(argument: GraphQLArgument): SizeArgument {
  const { name, type } = argument
  const listDepth = listDepthOf(type)
  const value = defaultOf(argument)
  const byDefault =
    listDepth > 0 ? countToRequestedSize(itemsByDefault(argument)) : value && toRequestedSize(value)
  return { name, listDepth, byDefault }
}

function toListArgument(argument: GraphQLArgument): ListArgument {
  const { name, type } = argument
  return { name, listDepth: listDepthOf(type), byDefault: itemsByDefault(argument) }
}

function itemsByDefault(argument: GraphQLArgument): number {
  const value = defaultOf(argument)
  // Default values contain no variables.
  const counts = new ItemCounts(() => undefined)
  return (value && counts.of(value, listDepthOf(argument.type))) ?? 0
}

/** The last name of a path such as "page.first". */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

type Directives = readonly ConstDirectiveNode[] | undefined

/** The weight is a string, since the specification allows any kind of number. */
function weightOf(directives: Directives): number | undefined {
  const value = argumentOf(directives, 'cost', 'weight')
  const text = value !== undefined && 'value' in value ? String(value.value).trim() : ''
  const weight = text === '' ? NaN : Number(text)
  // A negative weight would let cheap fields offset expensive ones.
  return weight >= 0 ? Math.min(weight, Number.MAX_SAFE_INTEGER) : undefined
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
