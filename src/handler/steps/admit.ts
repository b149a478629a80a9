import type { Operation } from '../../graphql/execute/operation.js'
import { OperationRequest } from '../../options/operation-request.js'
import type { Settings } from '../../options/settings.js'
import type { FailureRules } from '../../over-http/code-statuses.js'
import type { Denial } from '../../over-http/refusal.js'
import type { Facts } from '../road/facts.js'
import { stop, type Road } from '../road/road.js'
import { askHook } from './ask-hook.js'
import { checkDenial } from './check-denial.js'

/** The request of an operation, as the hooks from `admit` on see it. */
export function toOperationRequest(operation: Operation, facts: Facts): OperationRequest {
  facts.at = 'admit'
  const request = new OperationRequest(facts.head, facts.principal, operation, facts.cancellation)
  facts.request = request
  return request
}

/** Asks `admit` whether the operation may run. */
export function* admit(
  request: OperationRequest,
  hook: NonNullable<Settings['admit']>,
  rules: FailureRules,
): Road<void, Denial> {
  const denial: unknown = yield* askHook(hook, request, rules)
  if (denial !== undefined) yield* stop(checkDenial(denial, 'admit'))
}
