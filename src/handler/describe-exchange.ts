import { pathOf } from '../http/target.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Engine } from '../graphql/engine.js'
import type { RequestFacts } from './trace-messages.js'
import { isCached, type Exchange } from './stages/exchange.js'

/** What a trace says of a request with GraphQL: facts that its stages have found. */
export function describeExchange(exchange: Exchange, { describe }: Engine): RequestFacts {
  const { operation, params, cost, errors, hasData, prepared, result } = exchange
  const isWhole = result?.kind === 'single' || result?.kind === 'written'
  return {
    operationName: operation?.name?.value,
    operationType: operation?.operation,
    document: params?.query,
    documentId: params?.documentId,
    documentCached: isCached(exchange),
    cost,
    execution: exchange.execution ?? (isWhole ? describe(prepared as Operation) : undefined),
    errors,
    hasData,
  }
}

/** The route of a trace: the path of the handler, if the request is for it. Other paths are any number. */
export function servedPath(
  { head }: Pick<Exchange, 'head'>,
  path: string | undefined,
): string | undefined {
  return path !== undefined && pathOf(head.target) === path ? path : undefined
}
