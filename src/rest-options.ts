import { createCors } from './cors.js'
import type { RequestHead } from './http/message.js'
import type { Awaitable, Options } from './options.js'
import { placeRoutes } from './rest/place-routes.js'
import type { Denial } from './refusal.js'
import { usualProblemBase } from './rest/problem.js'
import type { Route } from './rest/route.js'
import { createRouter, type PlacedRoute, type Router } from './rest/router.js'
import { resolveOptions, type Settings } from './settings.js'
import { pathOf } from './http/target.js'

/** The options of `createHandler` that mean nothing to routes. */
type GraphQLOnly =
  | 'path'
  | 'credentialsFirst'
  | 'get'
  | 'getHeaders'
  | 'edition'
  | 'partialSuccessStatus'
  | 'introspection'
  | 'suggestions'

/** Everything that `createRestHandler` takes: what `createHandler` does, and the routes. */
export interface RestOptions<Raw = unknown, Principal = unknown, Context = never> extends Omit<
  Options<Raw, Principal>,
  GraphQLOnly
> {
  /** The routes; those of one method and path are tried in order. */
  readonly routes: readonly Route<Context>[]
  /** Decides before the body is read whether the sender may use the route. Default: everybody may. */
  authorize?(facts: AuthorizeFacts<Raw, Principal>): Awaitable<Denial | undefined>
  /** Whether a POST may name another method in `X-HTTP-Method-Override`. Default: false. */
  readonly methodOverride?: boolean | undefined
  /** What the types of problems start with. Default: 'urn:graphwire:problem:'. */
  readonly problemBase?: string | undefined
  /** The statuses of codes of the schema's own; other unknown codes are 500. Default: none. */
  readonly statusOfCode?: { readonly [code: string]: number } | undefined
  /** The `WWW-Authenticate` of a 401 that a resolver's error makes. Default: 'Bearer'. */
  readonly challenge?: string | undefined
}

/** What `authorize` gets to know. */
export interface AuthorizeFacts<Raw = unknown, Principal = unknown> {
  readonly route: Route<never>
  /** What `authenticate` gave. */
  readonly principal: Principal
  readonly head: RequestHead<Raw>
}

/** The options with nothing left to decide. */
export interface RestSettings extends Settings {
  readonly placed: readonly PlacedRoute[]
  readonly router: Router
  readonly authorize: ((facts: AuthorizeFacts) => Awaitable<Denial | undefined>) | undefined
  readonly methodOverride: boolean
  readonly problemBase: string
  readonly statusOfCode: { readonly [code: string]: number }
  readonly challenge: string
}

/** Fills in the defaults and checks what can be checked without a schema. */
export function resolveRestOptions<Raw, Principal, Context>(
  options: RestOptions<Raw, Principal, Context>,
): RestSettings {
  const placed = placeRoutes(options.routes)
  const router = createRouter(placed)
  const given = options as unknown as RestOptions
  const { statusOfCode = {}, challenge = 'Bearer', problemBase = usualProblemBase } = options
  const wrong = Object.entries(statusOfCode).find(([, status]) => !isErrorStatus(status))
  if (wrong !== undefined) {
    throw new TypeError(`statusOfCode: ${wrong.join(' is ')}, and must be 400 to 599.`)
  }
  if (!/^[\t\x20-\x7e]+$/.test(challenge)) {
    throw new TypeError('challenge: expected the value of WWW-Authenticate, such as "Bearer".')
  }
  return {
    ...resolveOptions(options),
    cors: createCors(options.cors, ({ target }) => methodsAt(router, target)),
    placed,
    router,
    authorize: given.authorize?.bind(given),
    methodOverride: options.methodOverride ?? false,
    problemBase,
    statusOfCode,
    challenge,
  }
}

function isErrorStatus(status: unknown): boolean {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
}

/** What a preflight may be told; nothing of a path that is not served. */
function methodsAt(router: Router, target: string): string {
  const found = router.find(pathOf(target))
  return found.ok && found.value ? found.value.resource.allow : 'OPTIONS'
}
