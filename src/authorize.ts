import { checkDenial } from './check-denial.js'
import { withDeadline } from './deadline.js'
import { Cancellation } from './engine/cancellation.js'
import type { RequestHead } from './http/message.js'
import { andThen, isPromise } from './promise.js'
import type { Refusal } from './refusal.js'
import type { PlacedRoute } from './rest/router.js'
import type { RestSettings } from './rest-options.js'

/** What each of some routes says of the sender of a request: undefined where it may be used. */
export type Authorization = readonly (Refusal | undefined)[]

/** Asks the embedder about each route that a request may be for, under one deadline. */
export function authorize(
  settings: RestSettings,
  routes: readonly PlacedRoute[],
  principal: unknown,
  head: RequestHead,
): Authorization | Promise<Authorization> {
  const { authorize: ask, executionTimeout: timeout } = settings
  if (ask === undefined) return routes.map(() => undefined)
  const answers = routes.map(({ route }) => {
    // What is thrown waits for the answers that are promises, or nobody would hear of their failure.
    try {
      return andThen(ask({ route, principal, head }), toRefusal)
    } catch (bug) {
      return Promise.reject(bug)
    }
  })
  if (!answers.some(isPromise)) return answers as Authorization
  return withDeadline<Authorization>(
    Promise.all(answers.map(async (answer) => answer)),
    new Cancellation(),
    { head, timeout },
    (cause) => routes.map(() => ({ kind: 'cancelled', cause })),
    (bug) => settings.onBug(bug, { id: settings.createId() }),
  )
}

function toRefusal(denial: unknown): Refusal | undefined {
  return denial === undefined ? undefined : checkDenial(denial, 'authorize')
}
