import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql'

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions) {
    if (node.kind === 'FragmentDefinition') fragments.set(node.name.value, node)
  }
  return fragments
}

export function operationsIn({ definitions }: DocumentNode): readonly OperationDefinitionNode[] {
  return definitions.filter((node) => node.kind === 'OperationDefinition')
}
