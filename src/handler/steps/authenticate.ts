import type { RequestHead } from '../../http/message.js'
import type { Settings } from '../../options/settings.js'
import type { Denial, Refusal } from '../../over-http/refusals.js'
import { showValue } from '../../shapes/show-value.js'
import type { DriverTools } from '../road/driver.js'
import type { Facts } from '../road/facts.js'
import { stop, type Road } from '../road/road.js'
import { askHook } from './ask-hook.js'
import { checkDenial } from './check-denial.js'

/** Identifies the caller, unless the server is overloaded. */
export function identify({ settings, gate }: DriverTools, facts: Facts): Road<void, Refusal> {
  facts.at = 'load'
  const overload = gate.check(facts.head)
  if (overload !== undefined) return stop(overload)
  facts.at = 'credentials'
  return settings.authenticate === undefined ? nothing : notePrincipal(settings, facts)
}

/** A generator would cost as much as some checks of a head. */
const nothing = [] as object as Road<void, never>

function* notePrincipal(settings: Settings, facts: Facts): Road<void, Refusal> {
  facts.principal = yield* authenticate(facts.head, settings)
}

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
