import { isPromise } from '../base/promise.js'
import type { Facts } from '../handler/road/facts.js'
import { stop, wait, type Road } from '../handler/road/road.js'
import { toDenial } from '../handler/steps/ask-hook.js'
import { checkDenial } from '../handler/steps/check-denial.js'
import type { FailureRules } from '../over-http/code-statuses.js'
import type { Denial } from '../over-http/refusal.js'
import type { RestSettings } from './rest-options.js'
import type { PlacedRoute } from './route/router.js'

/**
 * Asks `authorize` for each route that the request may use, all at once. If bodies decide between them, one permitted
 * route is enough to continue.
 */
export function* authorize(
  routes: readonly PlacedRoute[],
  settings: RestSettings,
  { head, principal }: Facts,
): Road<readonly (Denial | undefined)[], Denial> {
  if (settings.authorize === undefined) return []
  const { authorize: hook } = settings
  const asked = routes.map(({ route }) => startHook(() => hook({ route, principal, head })))
  const denials: (Denial | undefined)[] = []
  for (const answer of asked) denials.push(yield* readDenial(answer, settings))
  const [first] = denials
  return first !== undefined && denials.every(Boolean) ? yield* stop(first) : denials
}

/** Calls a hook whose answer is read later: until then, nobody handles its rejection. */
function startHook(hook: () => unknown): () => unknown {
  try {
    const returned = hook()
    if (!isPromise(returned)) return () => returned
    const answer = Promise.resolve(returned)
    answer.catch(() => undefined)
    return () => answer
  } catch (thrown) {
    return () => {
      throw thrown
    }
  }
}

function* readDenial(answer: () => unknown, rules: FailureRules): Road<Denial | undefined, never> {
  try {
    const denial = yield* wait(answer())
    return denial === undefined ? undefined : checkDenial(denial, 'authorize')
  } catch (thrown) {
    return toDenial(thrown, rules)
  }
}
