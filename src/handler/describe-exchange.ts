import { hasPath } from '../http/target.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Engine } from '../graphql/engine.js'
import type { OwnFacts } from './trace-messages.js'
import { isCached, type Exchange } from './stages/exchange.js'

/** Writes what a trace says of a request with GraphQL: facts that its stages have found. */
export function describeExchange(facts: OwnFacts, exchange: Exchange, { describe }: Engine): void {
  const { operation, params, prepared, result } = exchange
  const isWhole = result?.kind === 'single' || result?.kind === 'written'
  facts.operationName = operation?.name?.value
  facts.operationType = operation?.operation
  facts.document = params?.query
  facts.documentId = params?.documentId
  facts.documentCached = isCached(exchange)
  facts.cost = exchange.cost
  facts.execution = exchange.execution ?? (isWhole ? describe(prepared as Operation) : undefined)
  facts.errors = exchange.errors
  facts.hasData = exchange.hasData
}

/** The route of a trace: the path of the handler, if the request is for it. Other paths are any number. */
export function servedPath(
  { head }: Pick<Exchange, 'head'>,
  path: string | undefined,
): string | undefined {
  return path !== undefined && hasPath(head.target, path) ? path : undefined
}
