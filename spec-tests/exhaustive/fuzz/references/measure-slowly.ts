import { visit, type ASTNode, type DocumentNode, type FieldNode } from 'graphql'
import type { OperationDefinitionNode, SelectionNode, SelectionSetNode, ValueNode } from 'graphql'
import type { DocumentFigures } from '../../../../src/graphql/limits/measure-document.js'

/** A field of a document whose fragments have been written out. */
interface Expanded {
  readonly node: FieldNode
  readonly children: readonly Expanded[]
}

/** The figures of a document without cycles, by writing out every fragment at every place. */
export function measureSlowly(document: DocumentNode): DocumentFigures {
  const operations = document.definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === 'OperationDefinition',
  )
  const sets = document.definitions.flatMap((one) =>
    'selectionSet' in one ? [one.selectionSet] : [],
  )
  const trees = sets.map((set) => expand(set, document))
  const count = (test: (field: FieldNode) => boolean): number =>
    most(trees.map((tree) => flatten(tree).filter(test).length))
  const places: number[] = []
  const names: number[] = []
  const responseNames: string[] = []
  const countAt = (node: ASTNode): void => {
    if (node.kind === 'Field') {
      names.push(node.alias?.value.length ?? 0)
      if (node.selectionSet) responseNames.push((node.alias ?? node.name).value)
    }
    if (node.kind === 'OperationDefinition') names.push(node.name?.value.length ?? 0)
    if (node.kind === 'VariableDefinition') names.push(node.variable.name.value.length)
    if ('directives' in node) places.push(node.directives?.length ?? 0)
  }
  visit(document, { enter: countAt })
  return {
    maxDefinitions: document.definitions.length,
    maxFieldPairs: pairsIn(responseNames),
    maxDirectives: places.reduce((sum, number) => sum + number, 0),
    maxDirectivesPerPlace: most(places),
    maxVariables: most(operations.map((one) => one.variableDefinitions?.length ?? 0)),
    maxRootFields: most(operations.map((one) => rootKeys(one, document).size)),
    maxNesting: most(sets.map((set) => nestingOf(set, document))),
    maxDepth: most(trees.map(depthOf)),
    maxNameLength: most(names),
    maxAliases: count((field) => field.alias !== undefined),
    maxSchemaFields: count((field) => field.name.value === '__schema'),
    maxTypeFields: count((field) => field.name.value === '__type'),
    maxIncremental: most(sets.map((set) => incrementalOf(set, document))),
  }
}

function pairsIn(names: readonly string[]): number {
  return names.flatMap((name, at) => names.slice(0, at).filter((one) => one === name)).length
}

function most(numbers: readonly number[]): number {
  return Math.max(0, ...numbers)
}

function innerSet(selection: SelectionNode, document: DocumentNode): SelectionSetNode | undefined {
  if (selection.kind !== 'FragmentSpread') return selection.selectionSet
  const found = document.definitions.find(
    (one) => one.kind === 'FragmentDefinition' && one.name.value === selection.name.value,
  )
  return found?.kind === 'FragmentDefinition' ? found.selectionSet : undefined
}

function expand({ selections }: SelectionSetNode, document: DocumentNode): Expanded[] {
  return selections.flatMap((selection) => {
    const inner = innerSet(selection, document)
    const children = inner === undefined ? [] : expand(inner, document)
    return selection.kind === 'Field' ? [{ node: selection, children }] : children
  })
}

function flatten(tree: readonly Expanded[]): FieldNode[] {
  return tree.flatMap(({ node, children }) => [node, ...flatten(children)])
}

function depthOf(tree: readonly Expanded[]): number {
  return most(tree.map(({ children }) => 1 + depthOf(children)))
}

function rootKeys({ selectionSet }: OperationDefinitionNode, document: DocumentNode): Set<string> {
  const root = expand(selectionSet, document)
  return new Set(root.map(({ node }) => node.alias?.value ?? node.name.value))
}

function incrementalOf({ selections }: SelectionSetNode, document: DocumentNode): number {
  return selections.reduce((sum, selection) => {
    const inner = innerSet(selection, document)
    const own = (selection.directives ?? []).filter(
      ({ name, arguments: args = [] }) =>
        ['defer', 'stream'].includes(name.value) &&
        !args.some((one) => one.name.value === 'if' && isFalse(one.value)),
    )
    return sum + own.length + (inner === undefined ? 0 : incrementalOf(inner, document))
  }, 0)
}

function isFalse(value: ValueNode): boolean {
  return value.kind === 'BooleanValue' && !value.value
}

function nestingOf({ selections }: SelectionSetNode, document: DocumentNode): number {
  const inner = selections.flatMap((selection) => innerSet(selection, document) ?? [])
  return 1 + most(inner.map((set) => nestingOf(set, document)))
}
