import type { RequestHead } from '../../http/message.js'
import type { Settings } from '../../options/settings.js'
import type { Denial } from '../../over-http/refusal.js'
import { showValue } from '../../shapes/show-value.js'
import { stop, type Road } from '../road/road.js'
import { askHook } from './ask-hook.js'
import { checkDenial } from './check-denial.js'

/** The principal that `authenticate` returns. Without that option, all requests are accepted. */
export function* authenticate(head: RequestHead, settings: Settings): Road<unknown, Denial> {
  if (settings.authenticate === undefined) return undefined
  const outcome: unknown = yield* askHook(settings.authenticate, head, settings)
  const { ok, value, reason } = (outcome ?? {}) as {
    readonly ok?: unknown
    readonly value?: unknown
    readonly reason?: unknown
  }
  if (ok === true) return value
  if (ok === false) return yield* stop(checkDenial(reason, 'authenticate'))
  // A function that forgets to return a result must not accept everyone.
  throw new TypeError(
    `authenticate: expected success(principal) or failure(denial), got ${showValue(outcome)}.`,
  )
}
