import { mistake } from './mistake.js'
import type { PlacedRoute } from './router.js'
import type { Route } from './route.js'
import { parseTemplate, type Template } from 'graphwire/http'

/** Parses the paths of routes; throws for an invalid path, and for a route that can never be reached. */
export function placeRoutes(routes: readonly Route<never>[]): readonly PlacedRoute[] {
  const placed = routes.map(place)
  const before = new Map<string, Route<never>[]>()
  for (const { route, template } of placed) {
    const key = `${route.method} ${shapeOf(template)}`
    const others = before.get(key) ?? []
    const other = others.find(({ when }) => when === undefined || when === route.when)
    if (other !== undefined) {
      const which =
        other.when === undefined ? 'takes all bodies' : `takes bodies with "${other.when}"`
      throw mistake(
        route,
        `it can never be reached: an earlier route with the same method and path ${which}`,
      )
    }
    before.set(key, [...others, route])
  }
  return placed
}

function place(route: Route<never>): PlacedRoute {
  const template = parseTemplate(route.path)
  if (!template.ok) throw mistake(route, template.reason)
  return { route, template: template.value }
}

/** The template without its names, which do not distinguish paths. */
function shapeOf({ segments }: Template): string {
  return JSON.stringify(segments.map((segment) => ('name' in segment ? null : segment.literal)))
}
