import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql'

/** An operation, its document and what came with it. */
export interface Costed {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: { readonly [name: string]: unknown }
}

/** How long a list is taken to be where nothing says it. */
export const usualSize = 10

interface OwnSize {
  readonly size: number
  /** What is said of it, the usual size left out. */
  readonly least: number
  /** The length of the longest list among the arguments, where it is more than the usual size. */
  readonly listed: number
  /** Whether an argument says it by a number. */
  readonly isNumber: boolean
}

/** What the arguments of a field, its schema and the usual size say of its length. */
export function sizeOfItself(
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  slicing: readonly string[],
  assumed: number | undefined,
  costed: Costed,
): OwnSize {
  const numbers: number[] = []
  const others: number[] = []
  const longest: number[] = []
  for (const argument of field.args) {
    const literal = node.arguments?.find((one) => one.name.value === argument.name)?.value
    const given = literal && valueOf(literal, costed)
    const byDefault = argument.astNode?.defaultValue
    const value = given === undefined ? byDefault && valueOf(byDefault, costed) : given
    if (isInputObjectType(getNamedType(argument.type))) {
      const found = inputSizes(value, argument.type, slicing)
      others.push(...found.sizes)
      longest.push(...found.lists)
    }
    if (isListType(getNullableType(argument.type))) {
      longest.push(itemsOf(value, argument.type))
      continue
    }
    if (!slicing.includes(argument.name) || value == null) continue
    if (typeof value === 'number' && value >= 0) numbers.push(whole(value))
    else others.push(...sizesIn(value), -1)
  }
  const within = Math.max(0, ...others)
  const isNumber = numbers.length > 0
  const most = Math.max(0, ...longest)
  const listed = assumed === undefined && most > usualSize ? most : 0
  const least = Math.max(within, ...(isNumber ? numbers : [assumed ?? most]))
  const isUsual = isNumber || assumed !== undefined ? others.includes(-1) : true
  return { size: Math.max(least, isUsual ? usualSize : 0), least, listed, isNumber }
}

/** The sizes and the lengths of the lists in a value of an input type. */
function inputSizes(
  value: unknown,
  type: GraphQLInputType,
  names: readonly string[],
): { readonly sizes: number[]; readonly lists: number[] } {
  const input = getNamedType(type)
  const [sizes, lists]: [number[], number[]] = [[], []]
  if (!isInputObjectType(input)) return { sizes, lists }
  for (const object of [value].flat(Infinity)) {
    if (typeof object !== 'object' || object === null) continue
    for (const field of Object.values(input.getFields())) {
      const given = (object as { readonly [name: string]: unknown })[field.name]
      const byDefault = field.astNode?.defaultValue
      const member = given === undefined ? byDefault && valueFromASTUntyped(byDefault) : given
      const inner = inputSizes(member, field.type, names)
      sizes.push(...inner.sizes)
      lists.push(...inner.lists)
      if (isListType(getNullableType(field.type))) lists.push(itemsOf(member, field.type))
      if (names.includes(field.name)) sizes.push(...sizesIn(member))
    }
  }
  return { sizes, lists }
}

/** The items of a list and of the lists within it, each of which counts at least once. */
function itemsOf(value: unknown, type: GraphQLInputType): number {
  const list = getNullableType(type)
  if (value == null) return 0
  if (!isListType(list) || !Array.isArray(value)) return 1
  return value.reduce((sum: number, one) => sum + Math.max(1, itemsOf(one, list.ofType)), 0)
}

/** Whether a type of an argument has a field that says a size. */
export function hasSize(type: GraphQLInputType, names: readonly string[]): boolean {
  const input = getNamedType(type)
  // The one input object of the schema that holds itself has its size in its own fields.
  return (
    isInputObjectType(input) && Object.keys(input.getFields()).some((name) => names.includes(name))
  )
}

/** A number, or what text may be read to say. */
function sizesIn(value: unknown): number[] {
  if (typeof value === 'number') return value >= 0 ? [whole(value)] : []
  if (typeof value !== 'string' || /^\s*(?:-|$)/.test(value)) return []
  return [Number(value), Number.parseInt(value, 10)]
    .filter((number) => !Number.isNaN(number))
    .map(whole)
}

function whole(size: number): number {
  return Math.min(Math.ceil(size), Number.MAX_SAFE_INTEGER)
}

/** The value of a literal with its variables; undefined for one that is left out. */
export function valueOf(value: ValueNode, { variables, operation }: Costed): unknown {
  const all: { [name: string]: unknown } = { ...variables }
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value
    if (!Object.hasOwn(variables, name) && defaultValue)
      all[name] = valueFromASTUntyped(defaultValue)
  }
  return valueFromASTUntyped(value, all)
}
