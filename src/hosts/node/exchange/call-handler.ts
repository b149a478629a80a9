import { deliverBy, type Handler, type HttpResponse } from '../../../http/message.js'
import type { BodyBudget } from './body-budget.js'
import { closeBehindIgnoredUpgrade } from './closing.js'
import type { Incoming, Outgoing } from './incoming.js'
import { NodeBody } from './node-body.js'
import { closeBehindFaultyFraming, refuseVersion, toRequest } from './to-request.js'

/**
 * Gets the response to a request from the handler, in the same tick if nothing had to be awaited; `failed` gets bugs of
 * the host. Neither may throw.
 */
export function callHandler<Raw extends Incoming>(
  handler: Handler<Raw>,
  incoming: Raw,
  outgoing: Outgoing,
  bodies: BodyBudget,
  deliver: (response: HttpResponse) => void,
  failed: (bug: unknown) => void,
): void {
  const refused = refuseVersion(incoming)
  if (refused !== undefined) return deliver(refused)
  closeBehindFaultyFraming(incoming, outgoing)
  closeBehindIgnoredUpgrade(incoming, outgoing)
  const body = new NodeBody(incoming, bodies)
  deliverBy(handler, toRequest(incoming, outgoing, body), deliver, failed)
}
