import type { Operation } from '../../graphql/execute/operation.js'
import { OperationRequest } from '../../options/operation-request.js'
import type { Settings } from '../../options/settings.js'
import type { Denial } from '../../over-http/refusal.js'
import type { Facts } from '../road/facts.js'
import { stop, type Road } from '../road/road.js'
import { askHook } from './ask-hook.js'
import { checkDenial } from './check-denial.js'

/** Asks `admit` whether the operation may run. Gives the request as the hooks behind it see it. */
export function* admit(
  operation: Operation,
  settings: Settings,
  facts: Facts,
): Road<OperationRequest, Denial> {
  facts.at = 'admit'
  const { head, principal, cancellation } = facts
  const request = new OperationRequest(head, principal, operation, cancellation)
  facts.request = request
  if (settings.admit === undefined) return request
  const denial: unknown = yield* askHook(settings.admit, request, settings)
  return denial === undefined ? request : yield* stop(checkDenial(denial, 'admit'))
}
