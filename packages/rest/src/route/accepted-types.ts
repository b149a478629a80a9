import { chooseType, memo, type RequestHead } from 'graphwire/http'
import {
  type Refusal,
  createContentCheck,
  type ContentCheck,
  type ContentRules,
} from 'graphwire/surface/parts'
import type { RouteRefusal } from './route-refusals.js'
import type { PlacedRoute } from './router.js'

/** The media types of bodies that routes with the same method and path accept. */
export function acceptedTypes(routes: readonly Pick<PlacedRoute, 'route'>[]): readonly string[] {
  const types = routes.flatMap(({ route }) => route.accepts ?? [])
  return [...new Set(['application/json', ...types])]
}

/** Whether `Accept` admits the type of a success. Problems are sent regardless. */
export function createAcceptCheck(type: string): (accept: string | undefined) => boolean {
  return memo((accept) => chooseType(accept, [type]) !== undefined)
}

/** Returns why the routes do not accept a body, judged by its head. */
export type ContentTypeCheck = (
  routes: readonly PlacedRoute[],
  head: RequestHead,
) => Refusal | RouteRefusal | undefined

/** Checks the type of a body: each method of a resource has its own media types. */
export function createBodyCheck(rules: ContentRules): ContentTypeCheck {
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
