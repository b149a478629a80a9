import type { ExecutionInput } from '../../graphql/execute/arguments.js'
import type { Operation } from '../../graphql/execute/operation.js'
import type { Settings } from '../../options/settings.js'
import type { Facts } from '../road/facts.js'

/** What an execution needs beside its operation. */
export function toInput(
  { definition, isIncremental }: Operation,
  contextValue: unknown,
  { rootValue, clientOf }: Settings,
  { head, cancellation }: Facts,
): ExecutionInput {
  const isStream = definition.operation === 'subscription' || isIncremental
  return { rootValue, contextValue, cancellation, client: isStream ? clientOf(head) : undefined }
}
