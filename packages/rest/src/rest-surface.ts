import type { GraphQLError, GraphQLSchema } from 'graphql'
import { andThen } from 'graphwire/base'
import {
  formatRequestErrors,
  isRequestError,
  type RequestError,
  coerceVariables,
  type Operation,
  type Single,
  reportBug,
  askForHeaders,
  checkLength,
  HttpSurface,
  unlessKnown,
  withLayers,
  withRouteHeaders,
  type EndpointTools,
  type Stop,
} from 'graphwire/surface/parts'
import {
  type HttpResponse,
  problem,
  problemType,
  type Problem,
  type ResponseHeaders,
  bringsCredentials,
  pathOf,
  queryOf,
} from 'graphwire/http'
import { findFailure } from './find-failure.js'
import type { RoutePlan } from './plan/plan.js'
import type { PlannedRoute } from './planned-route.js'
import {
  rootValue,
  tagOf,
  toLocation,
  toRepresentation,
  toSuccess,
} from './response/route-response.js'
import type { RestSettings } from './rest-options.js'
import type { ContentTypeCheck } from './route/accepted-types.js'
import { toProblem, type RouteRefusal } from './route/route-refusals.js'
import type { RouteFacts } from './route/route.js'
import type { PlacedRoute } from './route/router.js'

/** The parts that requests for resources share. */
export interface RestTools extends EndpointTools {
  readonly settings: RestSettings
  readonly plansOf: (schema: GraphQLSchema) => ReadonlyMap<PlacedRoute, RoutePlan>
  readonly acceptsJson: (accept: string | undefined) => boolean
  readonly acceptsStream: (accept: string | undefined) => boolean
  readonly checkBody: ContentTypeCheck
}

/** Responds to a request for a resource: with the value of the root field, or with a problem. */
export class RestSurface extends HttpSurface<RouteRefusal, RestTools> {
  /** The template of its path; undefined if there is no resource. */
  path: string | undefined
  /** Undefined until the route is selected. */
  planned: PlannedRoute | undefined
  #ownHeaders: ResponseHeaders | undefined

  toResponse(why: RouteRefusal | Stop): HttpResponse {
    // A hook may refuse what has run: its headers are part of it.
    this.#ownHeaders = undefined
    return this.#respondWith(isRequestError(why) ? this.#problemOf(why) : toProblem(why))
  }

  #problemOf(error: RequestError): Problem {
    const { settings } = this.tools
    if (error.kind === 'source' && this.planned !== undefined) {
      const errors = error.errors as readonly GraphQLError[]
      const failure = findFailure(errors, this.facts, this.planned, settings)
      if (failure !== undefined) return failure
    }
    const [first] = formatRequestErrors(error, settings, this.facts)
    const code = first?.extensions?.['code']
    const detail = first?.message ?? 'The request cannot be processed.'
    return { status: 422, code: typeof code === 'string' ? code : 'BAD_USER_INPUT', detail }
  }

  #respondWith(failure: Problem): HttpResponse {
    const { code, detail } = failure
    this.facts.errors = [{ message: detail, extensions: { code } }]
    this.facts.hasData = false
    return problem({ ...failure, type: problemType(code, this.tools.settings.problemBase) })
  }

  /** The response to a query or a mutation. `ran` is the operation as it ran last. */
  respond(
    result: Single,
    planned: PlannedRoute,
    ran: Operation,
    contextValue: unknown,
  ): HttpResponse | Promise<HttpResponse> {
    const { settings } = this.tools
    const facts = this.facts
    const { plan } = planned
    const failure = findFailure(result.errors, facts, planned, settings)
    if (failure !== undefined) return this.#respondWith(failure)
    const value = rootValue(result, plan)
    if (value === null) return this.toResponse({ kind: 'absent', message: plan.route.absent })
    facts.hasData = true
    return this.#represent(value, planned, toRouteFacts(ran, contextValue, facts.target, settings))
  }

  #represent(
    value: unknown,
    { plan, precondition }: PlannedRoute,
    routeFacts: RouteFacts<never>,
  ): HttpResponse | Promise<HttpResponse> {
    const { settings } = this.tools
    const facts = this.facts
    const { route } = plan
    const report = (mistake: unknown): void => void reportBug(settings, mistake, facts)
    const { body, version } = toRepresentation(value, plan, report)
    if (route.status !== 204) checkLength(body, plan.definition.name?.value, settings)
    const location = toLocation(value, plan, report)
    const headers = askForHeaders('headers', () => route.headers?.(value, routeFacts), report)
    const bringsOwn = bringsCredentials(facts.head.headers)
    const isPersonal = settings.isPersonal || bringsOwn
    const isTagged = route.method !== 'DELETE' && (route.status !== 204 || version !== undefined)
    const found = isTagged ? tagOf(body, version, bringsOwn && route.method === 'GET') : undefined
    return andThen(found, (tag) => {
      const attached = { tag, version, location, isPersonal }
      const response = toSuccess(body, attached, plan, precondition)
      if (response === undefined) return this.toResponse({ kind: 'condition-failed' })
      this.#ownHeaders = headers
      // The headers of the route would be missing in a stored response.
      if (headers !== undefined) facts.request?.cacheHint({ maxAge: 0 })
      return response
    })
  }

  /** The headers of the route come after those of resolvers. */
  override finish(response: HttpResponse, isOwn: boolean): HttpResponse {
    const own = isOwn ? this.#ownHeaders : undefined
    if (own === undefined) return super.finish(response, isOwn)
    const layered = withLayers(unlessKnown(response, this.facts.head), this.facts)
    const whole = { ...layered, headers: withRouteHeaders(layered.headers, own) }
    return this.tools.finish?.(whole, this.facts) ?? whole
  }
}

/** The facts that headers of a route can depend on. */
function toRouteFacts(
  ran: Operation,
  contextValue: unknown,
  target: string,
  { graphql }: RestSettings,
): RouteFacts<never> {
  let variables: RouteFacts['variables'] | undefined
  return {
    context: contextValue as never,
    target: targetOf(target),
    get variables() {
      return (variables ??= coerceVariables(graphql, ran))
    },
  }
}

/** Path and query of a target, which may be in absolute form. */
function targetOf(target: string): string {
  const query = queryOf(target)
  return query === '' ? pathOf(target) : `${pathOf(target)}?${query}`
}
