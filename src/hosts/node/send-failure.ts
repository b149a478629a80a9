import { internalError } from '../host-error.js'
import type { Incoming, Outgoing } from './exchange.js'
import type { NodeHostSettings } from './node-host-options.js'
import { send } from './send.js'

/** Answers a request whose listener failed, and reports the fault. It never throws. */
export function sendFailure(
  bug: unknown,
  incoming: Incoming,
  outgoing: Outgoing,
  settings: NodeHostSettings,
): void {
  const id = settings.createId()
  try {
    send(internalError(id), incoming, outgoing, settings)
  } catch {
    // A cut connection is honest; a tidy end would look complete.
    outgoing.destroy()
  }
  settings.onBug(bug, { id })
}
