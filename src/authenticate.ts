import type { RequestHead } from './http/message.js'
import type { Awaitable, Settings } from './options.js'
import { success, type Outcome } from './outcome.js'
import { andThen } from './promise.js'
import type { Denial } from './refusal.js'

type Authenticated = Outcome<unknown, Denial>

/** Asks the embedder who sends the request. Without the option everybody may. */
export function authenticate(
  settings: Settings,
  head: RequestHead,
): Authenticated | Promise<Authenticated> {
  if (settings.authenticate === undefined) return anybody
  return andThen(settings.authenticate(head) as Awaitable<unknown>, checkOutcome)
}

const anybody: Authenticated = success(undefined)

/** A function that forgets to answer must not let everybody in. */
function checkOutcome(outcome: unknown): Authenticated {
  if (typeof (outcome as { ok?: unknown } | undefined)?.ok === 'boolean') {
    return outcome as Authenticated
  }
  throw new TypeError('authenticate: expected success(principal) or failure(denial).')
}
