import type { ExecutionInput } from '../../graphql/execute/arguments.js'
import type { Operation } from '../../graphql/execute/operation.js'
import type { OperationRequest } from '../../options/operation-request.js'
import type { Settings } from '../../options/settings.js'
import type { Denial } from '../../over-http/refusal.js'
import type { Facts } from '../road/facts.js'
import type { Road } from '../road/road.js'
import { askHook } from './ask-hook.js'

/** What an execution needs beside its operation: the context value above all. Without `context`, that is the request. */
export function* makeInput(
  { definition, isIncremental }: Operation,
  request: OperationRequest,
  settings: Settings,
  { head, cancellation }: Facts,
): Road<ExecutionInput, Denial> {
  const { context, rootValue, clientOf } = settings
  const contextValue = context === undefined ? request : yield* askHook(context, request, settings)
  const isStream = definition.operation === 'subscription' || isIncremental
  return { rootValue, contextValue, cancellation, client: isStream ? clientOf(head) : undefined }
}
