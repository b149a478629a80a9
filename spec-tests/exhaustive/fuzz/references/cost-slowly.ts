import {
  getNamedType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  typeFromAST,
  visit,
  type ConstDirectiveNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type NamedTypeNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { innerSet } from './measure-slowly.js'
import { hasSize, sizeOfItself, usualSize, valueOf, type Costed } from './own-size.js'

const sizeArguments = ['limit', 'first', 'last']

/** What one of the fields above says of the lists below. */
interface Word {
  /** How long they are directly below it. */
  readonly size: number
  /** How long they are at least farther below; 0 where nothing but the usual size is known. */
  readonly least: number
  /** The fields that it speaks of; of all where there are none. */
  readonly names: readonly string[] | 'all' | 'all, farther below'
  /** How many objects lie between. */
  readonly between: number
}

/** The cost of an operation by the rule of the limits page, each fragment written out where it is spread. */
export function costSlowly(costed: Costed): number {
  const root = costed.schema.getRootType(costed.operation.operation)
  const cost = root ? costOf(costed.operation.selectionSet, root, costed, []) : 0
  return cost + Math.floor(coercedFields(costed) / 100)
}

/** The fields of the types of all input objects that came in variables. */
function coercedFields({ schema, operation, variables }: Costed): number {
  const count = (value: unknown, type: GraphQLInputType): number => {
    if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + count(one, type), 0)
    const named = getNamedType(type)
    if (!isInputObjectType(named) || typeof value !== 'object' || value === null) return 0
    const fields = Object.values(named.getFields())
    const members = value as { readonly [name: string]: unknown }
    return fields.reduce((sum, one) => sum + 1 + count(members[one.name], one.type), 10)
  }
  return (operation.variableDefinitions ?? []).reduce((sum, { type, variable }) => {
    const declared = typeFromAST(schema, type as NamedTypeNode)
    return isInputType(declared) ? sum + count(variables[variable.name.value], declared) : sum
  }, 0)
}

function costOf(
  { selections }: SelectionSetNode,
  parent: GraphQLNamedType,
  costed: Costed,
  words: readonly Word[],
): number {
  const { schema, document } = costed
  const dearest: { [typeName: string]: number } = {}
  const costs = selections.map((selection) => {
    if (selection.kind === 'Field') return costOfField(selection, parent, costed, words)
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
    const cost = type ? costOf(inner, type, costed, words) : 0
    if (!isObjectType(type)) return cost
    dearest[type.name] = (dearest[type.name] ?? 0) + cost
    return 0
  })
  return costs.reduce((sum, cost) => sum + cost, Math.max(0, ...Object.values(dearest)))
}

function costOfField(
  node: FieldNode,
  parent: GraphQLNamedType,
  costed: Costed,
  words: readonly Word[],
): number {
  if (node.name.value === '__typename') return 1
  if (!('getFields' in parent) || node.name.value.startsWith('__')) return 0
  const types = isInterfaceType(parent) ? costed.schema.getPossibleTypes(parent) : []
  const costs = [parent, ...types].map((type) => {
    const field = type.getFields()[node.name.value] as GraphQLField<unknown, unknown>
    return costOfDeclared(node, field, costed, words)
  })
  return Math.max(...costs)
}

function costOfDeclared(
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  costed: Costed,
  words: readonly Word[],
): number {
  const given = new Set((node.arguments ?? []).map(({ name }) => name.value))
  const weights = field.args
    .filter(({ name }) => given.has(name))
    .map(({ astNode }) => weightOf(astNode?.directives, 0))
  const members = (node.arguments ?? []).map(({ value }) => membersOf(value))
  const weight = [...weights, ...members].reduce(
    (sum, one) => sum + one,
    weightOf(field.astNode?.directives, 1),
  )

  const { type } = field
  const name = node.name.value
  const listSize = directive(field.astNode?.directives, 'listSize')
  const sized = namesIn(listSize?.['sizedFields'])?.map((path) => path.split('.').at(-1)!) ?? []
  const slicing = namesIn(listSize?.['slicingArguments']) ?? sizeArguments
  const own = sizeOfItself(
    node,
    field,
    slicing,
    assumedOf(listSize?.['assumedSize'], costed),
    costed,
  )
  const isSizable = field.args.some(
    (argument) => slicing.includes(argument.name) || hasSize(argument.type, slicing),
  )

  const parent = words.find((word) => word.between === 0)
  const isMeant = parent?.names === 'all' || parent?.names.includes(name) === true
  const isNamed = isMeant && parent?.names !== 'all'
  const said = words.map((word) => {
    if (word.names === 'all' || word.names === 'all, farther below') return word.least
    return word.between > 0 && word.names.includes(name) ? word.size : 0
  })
  const reached = Math.max(0, ...said)

  const isList = depthOf(type) > 0
  let times = isList ? 0 : 1
  if (isNamed && parent) times = Math.max(parent.size, isList ? own.least : 0)
  else if (isList && own.isNumber) times = own.size
  else if (isList && isMeant && parent && !isSizable) times = Math.max(parent.size, own.least)
  else if (isList) times = Math.max(own.size, isMeant && parent ? parent.size : 0, reached)

  const inner = usualSize ** Math.max(0, depthOf(type) - 1)
  if (node.selectionSet === undefined) {
    if (!isList) return weight
    return weight + inner * (isSizable || isMeant ? times : Math.max(reached, own.listed))
  }

  const unnamed = Math.max(
    0,
    ...words.map((word) => (typeof word.names === 'string' ? word.least : 0)),
  )
  const size = own.isNumber ? own.size : Math.max(own.size, unnamed)
  const below: Word[] = words.flatMap((word) => {
    const farther = { ...word, between: word.between + 1 }
    if (typeof word.names === 'string') return isList && times >= word.least ? [] : [farther]
    const isOver = isList || isNamed || sized.length > 0 || isSizable
    return isOver ? [] : [farther]
  })
  if (sized.length > 0) below.push({ size, least: 0, names: sized, between: 0 })
  else if (!isList) {
    const names = isSizable ? 'all' : 'all, farther below'
    below.push({ size: Math.max(1, size), least: own.least, names, between: 0 })
  }
  return weight + times * inner * costOf(node.selectionSet, getNamedType(type), costed, below)
}

/** How many lists stand within each other. */
function depthOf(type: GraphQLOutputType): number {
  if (isNonNullType(type)) return depthOf(type.ofType)
  return isListType(type) ? 1 + depthOf(type.ofType) : 0
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

function assumedOf(value: ValueNode | undefined, costed: Costed): number | undefined {
  const number = value && valueOf(value, costed)
  return typeof number === 'number' ? number : undefined
}

/** The values within a literal, and the hundreds of characters of its texts. */
function membersOf(value: ValueNode): number {
  let count = -1
  visit(value, {
    enter: (node) => {
      if (node.kind.endsWith('Value') || node.kind === 'Variable') count++
      if ('value' in node && typeof node.value === 'string') {
        count += Math.floor(node.value.length / 100)
      }
    },
  })
  return count
}
