import { type JsonObject, failure, success, type Outcome } from 'graphwire/base'
import {
  fieldValue,
  type RequestHead,
  type HttpResponse,
  ResponseHeaders,
  pathOf,
} from 'graphwire/http'
import type { Refusal } from 'graphwire/surface/parts'
import { acceptedTypes } from './accepted-types.js'
import { acceptHeaders, type RouteRefusal } from './route-refusals.js'
import type { RouteMethod } from './route.js'
import type { Match, PlacedRoute, Resource, Router } from './router.js'

/** Why a request has no route. */
export type NoRoute = Extract<Refusal, { kind: 'not-found' }> | RouteRefusal

/** Finds the resource of a request's path. */
export function findResource(router: Router, target: string): Outcome<Match, NoRoute> {
  const path = pathOf(target)
  const found = router.find(path)
  if (!found.ok) return failure({ kind: 'broken-path', path })
  return found.value === undefined ? failure({ kind: 'not-found', path }) : success(found.value)
}

/** Finds the routes with the method of a request; the body may decide between them. */
export function findRoutes(
  { value: resource }: Match,
  head: RequestHead,
  methodOverride: boolean,
): Outcome<readonly PlacedRoute[], NoRoute> {
  const override =
    methodOverride && head.method === 'POST'
      ? fieldValue(head.headers, 'x-http-method-override')
      : undefined
  if (override !== undefined && !overrides.has(override)) {
    return failure({ kind: 'unknown-override', method: override })
  }
  const method = override ?? (head.method === 'HEAD' ? 'GET' : head.method)
  const routes = resource.routes.get(method as RouteMethod)
  if (routes === undefined) {
    return failure({ kind: 'method-not-routed', method, allow: resource.allow })
  }
  return success(routes)
}

const overrides = new Set(['PUT', 'PATCH', 'DELETE'])

/** The first of the routes with the same method and path that takes this body. */
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

/** The response to OPTIONS: the methods of a resource, and the types of bodies they accept. */
export function describeResource({ allow, routes }: Resource): HttpResponse {
  const headers = new ResponseHeaders()
  headers.set('Allow', allow)
  for (const method of ['POST', 'PATCH'] as const) {
    const placed = routes.get(method)
    if (placed === undefined) continue
    const { Accept: _, ...own } = acceptHeaders(method, acceptedTypes(placed))
    headers.assign(own)
  }
  const base = ['X-Content-Type-Options', 'nosniff']
  return { status: 204, headers: headers.mergeInto(base), body: '' }
}
