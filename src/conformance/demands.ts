import { isInRange, type EditionName } from './editions.js'
import type { Assertion } from './fixture.js'

/** Whether an assertion demands anything in an edition: none of the ranges of a `by` may have it. */
export function demands(assertion: Assertion, edition: EditionName): boolean {
  const { when, then, by, allOf = [], oneOf = [] } = assertion
  if (when !== undefined && demands(then ?? {}, edition)) return true
  const chosen = Object.entries(by ?? {}).find(([range]) => isInRange(edition, range))
  const nested = [...allOf, ...oneOf, ...(chosen === undefined ? [] : [chosen[1]])]
  const own = ['status', 'header', 'json', 'body', 'connection', 'responses', 'not'] as const
  return (
    own.some((name) => assertion[name] !== undefined) ||
    nested.some((inner) => demands(inner, edition))
  )
}
