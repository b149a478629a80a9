import type { Denial } from '../../over-http/refusal.js'
import type { Settings } from '../../options/settings.js'
import { showValue } from '../../shapes/show-value.js'
import type { Exchange } from './exchange.js'
import { callHook } from './call-hook.js'
import { checkDenial } from './check-denial.js'

/** Calls `authenticate`. Without that option, all requests are accepted. */
export function createCredentials(
  settings: Settings,
): (exchange: Exchange) => Denial | undefined | Promise<Denial | undefined> {
  const { authenticate } = settings
  if (authenticate === undefined) return () => undefined
  return (exchange) =>
    callHook(authenticate, exchange.head, settings, (outcome) => take(outcome, exchange))
}

/** A function that forgets to return a result must not accept everyone. */
function take(outcome: unknown, exchange: Exchange): Denial | undefined {
  const { ok, value, reason } = (outcome ?? {}) as {
    readonly ok?: unknown
    readonly value?: unknown
    readonly reason?: unknown
  }
  if (ok === false) return checkDenial(reason, 'authenticate')
  if (ok !== true) {
    throw new TypeError(
      `authenticate: expected success(principal) or failure(denial), got ${showValue(outcome)}.`,
    )
  }
  exchange.principal = value
  return undefined
}
