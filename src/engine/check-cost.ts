import type { LimitCheck } from './check-limits.js'
import type { DocumentSettings } from './documents.js'
import type { Operation } from './prepare.js'
import type { RequestError } from './request-error.js'

/**
 * Refuses an operation that costs more than the limit. Variables come first in the order of checks, but
 * are coerced by execution: only where the cost is too high are they looked at here.
 */
export function checkCost(
  { cost, schema, definition, params }: Operation,
  { graphql, limits, maxErrors, hideSuggestions }: DocumentSettings,
  check: LimitCheck,
): RequestError | undefined {
  if (cost <= limits.maxCost) return undefined
  const { errors } = graphql.getVariableValues(
    schema,
    definition.variableDefinitions ?? [],
    params.variables ?? {},
    { maxErrors, hideSuggestions },
  )
  return errors ? { kind: 'variables', errors } : check.ofCost(params.query, cost)
}
