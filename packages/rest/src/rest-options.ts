import { createCors, type RequestHead, usualProblemBase, pathOf } from 'graphwire/http'
import type { Denial, MaybePromise, OperationRequest } from 'graphwire'
import { createRouter, placeRoutes, type PlacedRoute, type Router } from './route/router.js'
import { routesShape, type Route } from './route/route.js'
import {
  resolveOptions,
  type Settings,
  surfaceShapes,
  type SurfaceOptions,
} from 'graphwire/surface/parts'
import {
  objectOf,
  recordOf,
  required,
  type Shape,
  aBoolean,
  aFunction,
  aString,
  wholeNumberFrom,
} from 'graphwire/base'

/** The options of `createRestHandler`: those of `createHandler`, and the routes. */
export interface RestOptions<
  Raw = unknown,
  Principal = unknown,
  Context = unknown,
> extends SurfaceOptions<Raw, Principal> {
  /** The routes; those with the same method and path are tried in order. */
  readonly routes: readonly Route<NoInfer<Context>>[]
  /** Makes the context value of resolvers and of `headers` of routes. Default: the `OperationRequest` itself. */
  context?(request: OperationRequest<Raw, Principal>): MaybePromise<Context>
  /** Decides whether the caller may use the route, before the body is read. Default: always. */
  authorize?(facts: AuthorizeFacts<Raw, Principal>): MaybePromise<Denial | undefined>
  /** Called with the template of the path, such as '/person/{id}', before credentials are checked: for logs and metrics. */
  onRoute?(path: string, head: RequestHead<Raw>): void
  /** Whether a POST can specify another method in `X-HTTP-Method-Override`. Default: false. */
  readonly methodOverride?: boolean | undefined
  /** Prefix of problem types. Default: 'urn:graphwire:problem:'. */
  readonly problemBase?: string | undefined
  /** Statuses of your own error codes; other unknown codes are 500. Default: none. */
  readonly statusOfCode?: { readonly [code: string]: number } | undefined
  /** The `WWW-Authenticate` of a 401 caused by the error of a resolver or a hook. Default: 'Bearer'. */
  readonly challenge?: string | undefined
}

/** The argument of `authorize`. */
export interface AuthorizeFacts<Raw = unknown, Principal = unknown> {
  readonly route: Route<never>
  /** What `authenticate` returned. */
  readonly principal: Principal
  readonly head: RequestHead<Raw>
}

/** The options with all defaults filled in. */
export interface RestSettings extends Settings {
  readonly placed: readonly PlacedRoute[]
  readonly router: Router
  readonly authorize: ((facts: AuthorizeFacts) => MaybePromise<Denial | undefined>) | undefined
  readonly onRoute: ((path: string, head: RequestHead) => void) | undefined
  readonly methodOverride: boolean
  readonly problemBase: string
}

/** The valid values of each option. An option without a row does not compile. */
export const restShape: Shape = objectOf<RestOptions>('{ schema, routes }', {
  ...surfaceShapes,
  routes: required(routesShape),
  authorize: aFunction,
  onRoute: aFunction,
  methodOverride: aBoolean,
  problemBase: aString,
  statusOfCode: recordOf('{ MY_CODE: 409 }', wholeNumberFrom(400, 599)),
  challenge: {
    expected: 'a value of WWW-Authenticate such as "Bearer"',
    fits: (value) => typeof value === 'string' && /^[\t\x20-\x7e]+$/.test(value),
  },
})

/**
 * Fills in the defaults of options that are already checked, and checks the routes as far as possible
 * without a schema.
 */
export function resolveRestOptions<Raw, Principal, Context>(
  options: RestOptions<Raw, Principal, Context>,
): RestSettings {
  const placed = placeRoutes(options.routes)
  const router = createRouter(placed)
  const checked = options as unknown as RestOptions
  const shared = resolveOptions('createRestHandler', options)
  return {
    ...shared,
    isPersonal: shared.isPersonal || options.authorize !== undefined,
    cors: createCors(options.cors, ({ target }) => methodsAt(router, target)),
    placed,
    router,
    authorize: checked.authorize?.bind(checked),
    onRoute: checked.onRoute?.bind(checked),
    methodOverride: options.methodOverride ?? false,
    problemBase: options.problemBase ?? usualProblemBase,
    statusOfCode: options.statusOfCode ?? shared.statusOfCode,
    challenge: options.challenge ?? shared.challenge,
  }
}

/** The methods that a preflight may allow; none for a path without routes. */
function methodsAt(router: Router, target: string): string {
  const found = router.find(pathOf(target))
  return found.ok && found.value ? found.value.value.allow : 'OPTIONS'
}
