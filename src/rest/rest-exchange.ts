import type { JsonObject } from '../base/json.js'
import type { Outcome } from '../base/outcome.js'
import type { Operation } from '../graphql/execute/operation.js'
import { beginExchange, type Exchange } from '../handler/stages/exchange.js'
import type { Stage } from '../handler/stages/stage.js'
import type { RequestHead } from '../http/message.js'
import type { Refusal } from '../over-http/refusal.js'
import type { RootPlace } from './response/root-place.js'
import { noPrecondition, type Precondition } from './read/precondition.js'
import type { NoRoute } from './route/find-routes.js'
import type { RouteRefusal } from './route/route-refusals.js'
import type { Match, PlacedRoute } from './route/router.js'

/** A request for a resource on its way to its response. */
export interface RestExchange extends Exchange {
  /** The resource of its path, or why there is none. */
  resource: Outcome<Match, NoRoute> | undefined
  /** The routes with its method and path; the body may decide between them. */
  routes: readonly PlacedRoute[]
  /** The values in the path, in the order of the template's names. */
  pathValues: readonly string[]
  /** Why the caller may not use each of the routes; undefined for permitted ones. */
  denials: readonly (Refusal | undefined)[]
  /** The body, or undefined if the method has none. */
  input: JsonObject | undefined
  /** The selected route. */
  placed: PlacedRoute | undefined
  precondition: Precondition
  /** Where the errors of its root field are found. */
  rootPlace: RootPlace | undefined
  /** The operation as it ran last, with the version of one tag. */
  ran: Operation | undefined
}

/** One step of a request for a resource. */
export type RestStage = Stage<RestExchange, RouteRefusal>

export function beginRestExchange(head: RequestHead, startedAt: number): RestExchange {
  return Object.assign(beginExchange(head, startedAt, undefined), {
    documentCached: undefined,
    resource: undefined,
    routes: [],
    pathValues: [],
    denials: [],
    input: undefined,
    placed: undefined,
    precondition: noPrecondition,
    rootPlace: undefined,
    ran: undefined,
  })
}
