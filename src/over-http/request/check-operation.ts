import type { Operation } from '../../graphql/execute/operation.js'
import type { RequestError } from '../../graphql/errors/request-error.js'
import type { Refusal } from '../refusal.js'

/**
 * Whether the method may run the selected operation: GET, HEAD and QUERY only run queries, and
 * subscriptions need a streaming encoding.
 */
export function checkOperation(
  method: string,
  { definition }: Operation,
): Refusal | RequestError | undefined {
  const { operation } = definition
  if (operation === 'query') return undefined
  if (method === 'GET' || method === 'HEAD') {
    return { kind: 'operation-not-allowed', operation, method }
  }
  if (operation === 'subscription') {
    const message = 'Subscriptions are not supported: no streaming encoding is configured.'
    return { kind: 'subscription', errors: [{ message }] }
  }
  // RFC 10008: QUERY is safe. The draft requires 422, not 405, since the method itself is supported.
  return method === 'QUERY' ? { kind: 'mutation-by-query' } : undefined
}
