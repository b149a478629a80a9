import type { RequestHead } from '../http/message.js'
import type { Refusal } from '../refusal.js'
import { createContentCheck, type ContentCheck, type ContentRules } from '../request/check-head.js'
import { acceptedTypes } from './accepted-types.js'
import type { RouteRefusal } from './route-refusal.js'
import type { PlacedRoute } from './router.js'

/** Says of a head why the body for some routes is not wanted, if so. */
export type BodyCheck = (
  routes: readonly PlacedRoute[],
  head: RequestHead,
) => Refusal | RouteRefusal | undefined

/** Makes the check of content: each method of a resource has its own media types. */
export function createBodyCheck(rules: ContentRules): BodyCheck {
  const checks = new WeakMap<readonly PlacedRoute[], ContentCheck>()
  // Each check remembers what clients say, so that there is one for all routes that take the same.
  const checksByTypes = new Map<string, ContentCheck>()
  const findCheck = (routes: readonly PlacedRoute[]): ContentCheck => {
    const types = acceptedTypes(routes)
    const key = types.join()
    const check = checksByTypes.get(key) ?? createContentCheck(rules, types)
    checksByTypes.set(key, check)
    checks.set(routes, check)
    return check
  }
  return (routes, head) => {
    const refusal = (checks.get(routes) ?? findCheck(routes))(head)
    if (refusal?.kind !== 'unsupported-media-type') return refusal
    const { mediaType } = refusal
    const method = routes[0]?.route.method ?? 'POST'
    return { kind: 'content-not-accepted', mediaType, accepts: acceptedTypes(routes), method }
  }
}
