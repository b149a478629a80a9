import {
  getNamedType,
  isListType,
  isNonNullType,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { innerSet } from './measure-slowly.js'

/** An operation, its document and what came with it. */
export interface Costed {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: { readonly [name: string]: unknown }
}

const sizeArguments = ['limit', 'first', 'last']
const usualSize = 10

/** What the fields above say of the lists below: how long those of these names are; of all where there are none. */
interface Held {
  readonly size: number
  readonly names: readonly string[] | 'all'
}

/** The cost of an operation by the rule of the limits page, each fragment written out where it is spread. */
export function costSlowly(costed: Costed): number {
  const root = costed.schema.getRootType(costed.operation.operation)
  return root ? costOf(costed.operation.selectionSet, root, costed, undefined) : 0
}

function costOf(
  { selections }: SelectionSetNode,
  parent: GraphQLNamedType,
  costed: Costed,
  held: Held | undefined,
): number {
  const { schema, document } = costed
  const costs = selections.map((selection) => {
    if (selection.kind === 'Field') return costOfField(selection, parent, costed, held)
    const inner = innerSet(selection, document)
    if (inner === undefined) return 0
    const name =
      selection.kind === 'InlineFragment'
        ? selection.typeCondition?.name.value
        : document.definitions.flatMap((one) =>
            one.kind === 'FragmentDefinition' && one.name.value === selection.name.value
              ? [one.typeCondition.name.value]
              : [],
          )[0]
    const type = name === undefined ? parent : schema.getType(name)
    return type ? costOf(inner, type, costed, held) : 0
  })
  return costs.reduce((sum, cost) => sum + cost, 0)
}

function costOfField(
  node: FieldNode,
  parent: GraphQLNamedType,
  costed: Costed,
  held: Held | undefined,
): number {
  if (!('getFields' in parent) || node.name.value.startsWith('__')) return 0
  const field = parent.getFields()[node.name.value] as GraphQLField<unknown, unknown>
  const given = new Set((node.arguments ?? []).map(({ name }) => name.value))
  const weights = field.args
    .filter(({ name }) => given.has(name))
    .map(({ astNode }) => weightOf(astNode?.directives, 0))
  const own = weights.reduce((sum, weight) => sum + weight, weightOf(field.astNode?.directives, 1))
  if (node.selectionSet === undefined) return own

  const listSize = directive(field.astNode?.directives, 'listSize')
  const sized = namesIn(listSize?.['sizedFields'])
  const slicing = namesIn(listSize?.['slicingArguments'])
  const known = field.args.filter(({ name }) => (slicing ?? sizeArguments).includes(name))
  const asked = known.flatMap(({ name, astNode }) => {
    const value = node.arguments?.find((one) => one.name.value === name)?.value
    const isGiven = value !== undefined && !isAbsent(value, costed)
    return numberOf(isGiven ? value : astNode?.defaultValue, costed) ?? []
  })
  const assumed = listSize?.['assumedSize']
  const size = asked.length > 0 ? Math.max(...asked) : (numberOf(assumed, costed) ?? usualSize)

  const isList = isListType(isNonNullType(field.type) ? field.type.ofType : field.type)
  const below = holds(sized, isList, known.length > 0, size)
  let times = 1
  if (held && held.names !== 'all' && held.names.includes(node.name.value)) times = held.size
  else if (isList && below === undefined) {
    times = held?.names === 'all' && known.length === 0 ? held.size : size
  }
  return own + times * costOf(node.selectionSet, getNamedType(field.type), costed, below)
}

function holds(
  sized: readonly string[] | undefined,
  isList: boolean,
  hasSize: boolean,
  size: number,
): Held | undefined {
  if (sized !== undefined && sized.length > 0) return { size, names: sized }
  return !isList && hasSize ? { size, names: 'all' } : undefined
}

type Given = { readonly [argument: string]: ValueNode }

function directive(
  directives: readonly ConstDirectiveNode[] | undefined,
  name: string,
): Given | undefined {
  const found = directives?.find((one) => one.name.value === name)
  return (
    found && Object.fromEntries((found.arguments ?? []).map((one) => [one.name.value, one.value]))
  )
}

function weightOf(directives: readonly ConstDirectiveNode[] | undefined, usual: number): number {
  const weight = directive(directives, 'cost')?.['weight']
  return weight?.kind === 'StringValue' ? Number(weight.value) : usual
}

function namesIn(value: ValueNode | undefined): readonly string[] | undefined {
  if (value?.kind !== 'ListValue') return undefined
  return value.values.flatMap((one) => (one.kind === 'StringValue' ? [one.value] : []))
}

function numberOf(value: ValueNode | undefined, costed: Costed): number | undefined {
  if (value?.kind === 'IntValue') return Number(value.value) >= 0 ? Number(value.value) : undefined
  if (value?.kind !== 'Variable') return undefined
  const name = value.name.value
  const { variables, operation } = costed
  if (!Object.hasOwn(variables, name)) {
    const declared = operation.variableDefinitions?.find((one) => one.variable.name.value === name)
    return declared?.defaultValue && numberOf(declared.defaultValue, costed)
  }
  const given = variables[name]
  return typeof given === 'number' && given >= 0 ? given : undefined
}

/** A variable that the request leaves out, without a default of its own, is an argument left out. */
function isAbsent(value: ValueNode, { variables, operation }: Costed): boolean {
  if (value.kind !== 'Variable') return false
  const name = value.name.value
  if (Object.hasOwn(variables, name)) return false
  const declared = operation.variableDefinitions?.find((one) => one.variable.name.value === name)
  return declared?.defaultValue === undefined
}
