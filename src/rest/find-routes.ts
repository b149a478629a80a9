import { fieldValue, type RequestHead } from '../http/message.js'
import { pathOf } from '../http/target.js'
import { failure, success, type Outcome } from '../outcome.js'
import type { Refusal } from '../refusal.js'
import type { RouteMethod } from './route.js'
import type { RouteRefusal } from './route-refusal.js'
import type { Match, PlacedRoute, Resource, Router } from './router.js'

/** The routes of a request's method and path; which of them it is may depend on its body. */
export interface FoundRoutes {
  readonly routes: readonly PlacedRoute[]
  /** What stands in the path, in the order of a template's names. */
  readonly pathValues: readonly string[]
}

/** Why a request has no route. */
type NoRoute = Extract<Refusal, { kind: 'not-found' }> | RouteRefusal

/** Finds what the target of an OPTIONS asks about; `*` is all of the server (RFC 9110 section 9.3.7). */
export function findSubject(router: Router, target: string): Outcome<Resource, NoRoute> {
  if (target === '*') return success(router.whole)
  const found = findMatch(router, target)
  return found.ok ? success(found.value.resource) : found
}

function findMatch(router: Router, target: string): Outcome<Match, NoRoute> {
  const path = pathOf(target)
  const found = router.find(path)
  if (!found.ok) return failure({ kind: 'broken-path', path })
  return found.value === undefined ? failure({ kind: 'not-found', path }) : success(found.value)
}

/** Finds the routes of a request, or why there are none. */
export function findRoutes(
  router: Router,
  head: RequestHead,
  methodOverride: boolean,
): Outcome<FoundRoutes, NoRoute> {
  const found = findMatch(router, head.target)
  if (!found.ok) return found
  const { resource, values } = found.value
  const override = methodOverride && head.method === 'POST' ? overrideOf(head) : undefined
  if (override !== undefined && !overrides.has(override)) {
    return failure({ kind: 'unknown-override', method: override })
  }
  const method = override ?? (head.method === 'HEAD' ? 'GET' : head.method)
  const routes = resource.routes.get(method as RouteMethod)
  if (routes === undefined) {
    return failure({ kind: 'method-not-routed', method, allow: resource.allow })
  }
  return success({ routes, pathValues: values })
}

function overrideOf({ headers }: RequestHead): string | undefined {
  return fieldValue(headers, 'x-http-method-override')
}

const overrides = new Set(['PUT', 'PATCH', 'DELETE'])
