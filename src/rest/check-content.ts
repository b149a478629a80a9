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
  return (routes, head) => {
    let check = checks.get(routes)
    if (check === undefined) {
      check = createContentCheck(rules, acceptedTypes(routes))
      checks.set(routes, check)
    }
    const refusal = check(head)
    if (refusal?.kind !== 'unsupported-media-type') return refusal
    const { mediaType } = refusal
    const method = routes[0]?.route.method ?? 'POST'
    return { kind: 'content-not-accepted', mediaType, accepts: acceptedTypes(routes), method }
  }
}
