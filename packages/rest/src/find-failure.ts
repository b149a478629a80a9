import type { GraphQLError, GraphQLFormattedError } from 'graphql'
import { formatFieldErrors, isMasked, type Facts, statusOf } from 'graphwire/surface/parts'
import type { Problem } from 'graphwire/http'
import { isOfRootField, type PlannedRoute } from './planned-route.js'
import type { RestSettings } from './rest-options.js'
import { toFailureProblem } from './response/route-response.js'

/**
 * Any error becomes a problem; masked errors take precedence. Each masked error is reported once, all of
 * them under the one id that the client sees.
 */
export function findFailure(
  thrown: readonly GraphQLError[],
  facts: Facts,
  planned: PlannedRoute,
  settings: RestSettings,
): Problem | undefined {
  if (thrown.length === 0) return undefined
  const { plan, precondition } = planned
  const operationName = plan.definition.name?.value
  let id: string | undefined
  const createId = (): string => (id ??= settings.createId(facts))
  const withSharedId = { ...settings, createId }
  const errors = formatFieldErrors(thrown, operationName, withSharedId, facts)
  const [first] = errors as [GraphQLFormattedError]
  let hidden: GraphQLFormattedError | undefined
  for (const [at, error] of thrown.entries()) {
    const shown = errors[at] ?? first
    if (statusOf(shown.extensions?.['code'], settings) !== undefined) continue
    hidden ??= shown
    // Masked errors were reported when they were formatted.
    if (isMasked(error, settings)) continue
    settings.onBug(error, { id: createId(), operationName, path: shown.path }, facts)
  }
  if (hidden === undefined) {
    const code = first.extensions?.['code']
    const failsCondition =
      code === 'CONFLICT' &&
      precondition.isConditional &&
      isOfRootField(thrown[0] as GraphQLError, planned)
    const status = failsCondition ? 412 : (statusOf(code, settings) ?? 500)
    const failure = toFailureProblem(first, status, plan, settings)
    return id === undefined ? failure : { ...failure, id }
  }
  const detail = settings.maskErrors ? 'Internal server error' : hidden.message
  return { status: 500, code: 'INTERNAL_SERVER_ERROR', detail, id: createId() }
}
