import {
  createTemplateTree,
  parseTemplate,
  type Template,
  type TemplateMatch,
  type TemplateTree,
} from 'graphwire/http'
import { mistake, routeMethods, type Route, type RouteMethod } from './route.js'

/** A route with its parsed path. */
export interface PlacedRoute {
  readonly route: Route<never>
  readonly template: Template
}

/** The routes of one path. */
export interface Resource {
  /** The template of its path, such as '/person/{id}'. */
  readonly path: string
  /** The routes of each method, in the order they are tried. */
  readonly routes: ReadonlyMap<RouteMethod, readonly PlacedRoute[]>
  /** The value of `Allow`. */
  readonly allow: string
}

/** A resource and the texts in the places of its template's names, in order. */
export type Match = TemplateMatch<Resource>

/** The resources by their paths. */
export interface Router extends TemplateTree<Resource> {
  /** All routes, as if they had the same path. */
  readonly whole: Resource
}

/** Parses the paths of routes; throws for an invalid path, and for a route that can never be reached. */
export function placeRoutes(routes: readonly Route<never>[]): readonly PlacedRoute[] {
  const placed = routes.map(placeRoute)
  const before = new Map<string, Route<never>[]>()
  for (const { route, template } of placed) {
    const key = `${route.method} ${placeOf(template)}`
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

function placeRoute(route: Route<never>): PlacedRoute {
  const template = parseTemplate(route.path)
  if (!template.ok) throw mistake(route, template.reason)
  return { route, template: template.value }
}

export function createRouter(placed: readonly PlacedRoute[]): Router {
  const places = new Map<string, PlacedRoute[]>()
  for (const one of placed) {
    const place = placeOf(one.template)
    places.set(place, [...(places.get(place) ?? []), one])
  }
  const tree = createTemplateTree(
    [...places.values()].map((together) => {
      const [{ template }] = together as [PlacedRoute]
      return [template, toResource(together)] as const
    }),
  )
  return { ...tree, whole: toResource(placed) }
}

/** A key that is equal for templates that differ only in the names within. */
function placeOf({ segments }: Template): string {
  return JSON.stringify(segments.map((segment) => ('name' in segment ? 0 : segment.literal)))
}

function toResource(placed: readonly PlacedRoute[]): Resource {
  const routes = new Map<RouteMethod, readonly PlacedRoute[]>()
  for (const method of routeMethods) {
    const own = placed.filter(({ route }) => route.method === method)
    if (own.length > 0) routes.set(method, own)
  }
  return { path: placed[0]?.route.path ?? '*', routes, allow: formatAllow([...routes.keys()]) }
}

/** The value of `Allow`: HEAD next to GET, and OPTIONS always. */
function formatAllow(served: readonly RouteMethod[]): string {
  const names = served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...names, 'OPTIONS'].join(', ')
}
