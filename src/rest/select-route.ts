import type { JsonObject } from '../engine/params.js'
import { failure, success, type Outcome } from '../outcome.js'
import type { RouteRefusal } from './route-refusal.js'
import type { PlacedRoute } from './router.js'

/** The first of the routes of one method and path that is for this body. */
export function selectRoute(
  routes: readonly PlacedRoute[],
  body: JsonObject | undefined,
): Outcome<PlacedRoute, RouteRefusal> {
  const selected = routes.find(
    ({ route: { when } }) =>
      when === undefined || (body !== undefined && Object.hasOwn(body, when)),
  )
  if (selected !== undefined) return success(selected)
  const members = routes.flatMap(({ route }) => route.when ?? [])
  return failure({ kind: 'no-alternative', members })
}
