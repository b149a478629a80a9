import type { Single } from 'graphwire/surface/parts'
import type { RoutePlan } from '../plan/plan.js'
import type { FieldNode, GraphQLError } from 'graphql'

/** The only field of an operation, and whether a custom executor runs it. */
export interface RootPlace {
  readonly rootField: FieldNode
  readonly isCustom: boolean
}

/**
 * Whether an error is that of the root field. A nested resolver may pass on an error of another execution,
 * whose path is that of a root field there; then its nodes are others, or none if it came as JSON. Errors
 * of custom executors may have no nodes, and the nodes of a document that they have transformed are copies.
 */
export function isOfRootField(
  { path, nodes }: GraphQLError,
  { rootField, isCustom }: RootPlace,
): boolean {
  const { alias, name, loc } = rootField
  if (path?.length !== 1 || path[0] !== (alias ?? name).value) return false
  if (nodes === undefined) return isCustom
  return nodes.some(
    (node) =>
      node === rootField ||
      (loc !== undefined && node.loc?.source === loc.source && node.loc.start === loc.start),
  )
}

/** The value of the root field; null if it is absent or undefined. */
export function rootValue({ data }: Single, { rootField: { alias, name } }: RoutePlan): unknown {
  const members = data as { readonly [name: string]: unknown } | null
  return members?.[(alias ?? name).value] ?? null
}
