import { hasPath } from '../http/target.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Engine } from '../graphql/engine.js'
import type { Facts } from './road/facts.js'
import type { TraceFacts } from './trace-messages.js'

/** Writes what a trace says of a request with GraphQL. */
export function describeFacts(message: TraceFacts, facts: Facts, { describe }: Engine): void {
  const { operation, params, prepared, result } = facts
  const isWhole = result?.kind === 'single' || result?.kind === 'written'
  message.operationName = operation?.name?.value
  message.operationType = operation?.operation
  message.document = params?.query
  message.documentId = params?.documentId
  message.documentCached = facts.documentCached
  message.cost = facts.cost
  message.execution = facts.execution ?? (isWhole ? describe(prepared as Operation) : undefined)
  message.errors = facts.errors
  message.hasData = facts.hasData
}

/** The route of a trace: the path of the handler, if the request is for it. Other paths are any number. */
export function servedPath(
  { head }: Pick<Facts, 'head'>,
  path: string | undefined,
): string | undefined {
  return path !== undefined && hasPath(head.target, path) ? path : undefined
}
