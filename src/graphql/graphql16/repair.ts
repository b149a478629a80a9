import type { DocumentNode, GraphQLFieldResolver } from 'graphql'
import type { Cancellation } from '../execute/cancellation.js'
import { fieldFailures } from '../execute/field-failures.js'
import type { Operation } from '../execute/operation.js'
import { pendingItems } from './pending-items.js'

type DefaultResolver = GraphQLFieldResolver<unknown, unknown>

/** What takes the place of the document and of the default resolver. */
interface Repaired {
  readonly document: DocumentNode
  readonly fieldResolver: DefaultResolver
}

/**
 * graphql 16 does not support signals, so its resolvers are wrapped. They know an execution only by its
 * operation, which is therefore a copy for mutations: documents are cached, and executions share them. A copy
 * for each query would take a tenth of the time of a small one; there only the default resolver stops.
 */
export function repairer(
  defaultResolver: DefaultResolver,
): (operation: Operation, cancellation: Cancellation) => Repaired {
  const watched = pendingItems.watch(defaultResolver)
  return ({ definition, document: { document } }, cancellation) => {
    if (definition.operation !== 'mutation') {
      pendingItems.begin(definition)
      const fieldResolver = pendingItems.watchDefault(defaultResolver, cancellation)
      return { document, fieldResolver }
    }
    const own = { ...definition }
    pendingItems.beginAlone(own, cancellation)
    fieldFailures.count(own)
    const definitions = document.definitions.map((other) => (other === definition ? own : other))
    return { document: { ...document, definitions }, fieldResolver: watched }
  }
}
