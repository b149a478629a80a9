import { askDenial, stop, type Facts, type Road } from '../surface/parts.js'
import type { Denial } from '../over-http/refusal.js'
import type { RestSettings } from './rest-options.js'
import type { PlacedRoute } from './route/router.js'

/** Asks `authorize` for each route that the request may use. If bodies decide between them, one permitted route is enough. */
export function* authorize(
  routes: readonly PlacedRoute[],
  settings: RestSettings,
  { head, principal }: Facts,
): Road<readonly (Denial | undefined)[], Denial> {
  if (settings.authorize === undefined) return []
  const denials: (Denial | undefined)[] = []
  for (const { route } of routes) {
    const asked = { route, principal, head }
    denials.push(yield* askDenial('authorize', settings.authorize, asked, settings))
  }
  const [first] = denials
  return first !== undefined && denials.every(Boolean) ? yield* stop(first) : denials
}
