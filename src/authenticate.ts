import { checkDenial } from './check-denial.js'
import { withDeadline } from './deadline.js'
import { Cancellation } from './engine/cancellation.js'
import type { RequestHead } from './http/message.js'
import type { Settings } from './settings.js'
import { failure, success, type Outcome } from './outcome.js'
import { andThen, isPromise } from './promise.js'
import type { Refusal } from './refusal.js'

type Authenticated = Outcome<unknown, Refusal>

/** Asks the embedder who sends the request, under the deadline. Without the option everybody may. */
export function authenticate(
  settings: Settings,
  head: RequestHead,
): Authenticated | Promise<Authenticated> {
  if (settings.authenticate === undefined) return anybody
  const answer = andThen<unknown, Authenticated>(settings.authenticate(head), checkOutcome)
  if (!isPromise(answer)) return answer
  return withDeadline<Authenticated>(
    answer,
    new Cancellation(),
    { head, timeout: settings.executionTimeout },
    (cause) => failure({ kind: 'cancelled', cause }),
    (bug) => settings.onBug(bug, { id: settings.createId() }),
  )
}

const anybody: Authenticated = success(undefined)

/** A function that forgets to answer must not let everybody in. */
function checkOutcome(outcome: unknown): Authenticated {
  const { ok, reason } = (outcome ?? {}) as { ok?: unknown; reason?: unknown }
  if (ok === true) return outcome as Authenticated
  if (ok === false) return failure(checkDenial(reason, 'authenticate'))
  throw new TypeError('authenticate: expected success(principal) or failure(denial).')
}
