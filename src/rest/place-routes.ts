import { mistake } from './mistake.js'
import type { PlacedRoute } from './router.js'
import type { Route } from './route.js'
import { parseTemplate, type Template } from './template.js'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Takes the paths of routes apart; a path that is none, and a route that cannot be reached, throws. */
export function placeRoutes(routes: readonly Route<never>[]): readonly PlacedRoute[] {
  if (!Array.isArray(routes) || routes.length === 0) {
    throw new TypeError('routes: expected a list of at least one route.')
  }
  const placed = routes.map(place)
  const before = new Map<string, Route<never>[]>()
  for (const { route, template } of placed) {
    const key = `${route.method} ${shapeOf(template)}`
    const others = before.get(key) ?? []
    const other = others.find(({ when }) => when === undefined || when === route.when)
    if (other !== undefined) {
      const which = other.when === undefined ? 'takes all' : `takes those with "${other.when}"`
      throw mistake(
        route,
        `it is never reached, since an earlier route of its method and path ${which}`,
      )
    }
    before.set(key, [...others, route])
  }
  return placed
}

function place(route: Route<never>): PlacedRoute {
  if (!methods.includes(route.method)) {
    throw mistake(route, `the method must be one of ${methods.join(', ')}`)
  }
  if (typeof route.operation !== 'string') {
    throw mistake(route, 'its operation must be the text of a document')
  }
  const template = parseTemplate(route.path)
  if (!template.ok) throw mistake(route, template.reason)
  return { route, template: template.value }
}

/** The template without its names, which tell no paths apart. */
function shapeOf({ segments }: Template): string {
  return JSON.stringify(segments.map((segment) => ('name' in segment ? null : segment.literal)))
}
