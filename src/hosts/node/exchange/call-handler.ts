import {
  wantsBody,
  type AwaitableResponse,
  type Handler,
  type HttpResponse,
  type ParsedJson,
  type WantsBody,
} from '../../../http/message.js'
import { isPromise } from '../../../base/promise.js'
import { hostError, tooManyChunks } from '../../host-error.js'
import type { BodyBudget } from './body-budget.js'
import { closeBehindIgnoredUpgrade } from './closing.js'
import type { Incoming, Outgoing } from './incoming.js'
import { closeBehindFaultyFraming, refuseVersion, toHead } from './to-head.js'
import { readBody, readChunks, type BodyFault } from './read-body.js'

/**
 * Gets the response to a request from the handler, reading the body if the handler needs it. `deliver` gets the
 * response, in the same tick if nothing had to be awaited; `failed` gets bugs of the host. Neither may
 * throw. No promise is made where the handler makes none, which saves 2 to 15 percent of a small request.
 */
export function callHandler<Raw extends Incoming>(
  handler: Handler<Raw>,
  incoming: Raw,
  outgoing: Outgoing,
  bodies: BodyBudget,
  deliver: (response: HttpResponse) => void,
  failed: (bug: unknown) => void,
): void {
  const settle = (response: AwaitableResponse): void => {
    if (isPromise(response)) response.then(deliver, failed)
    else deliver(response)
  }
  const go = (reply: HttpResponse | WantsBody): void => {
    if (!wantsBody(reply)) return deliver(reply)
    const done = (body: Uint8Array | ParsedJson): void => {
      try {
        settle(reply.proceed(body))
      } catch (bug) {
        failed(bug)
      }
    }
    const refused = (reason: BodyFault): void =>
      deliver(reason === 'no-room' ? noRoom : tooManyChunks(bodies.maxSmallChunks))
    const { proceedInChunks } = reply
    const chunks = proceedInChunks && readChunks(incoming)
    if (proceedInChunks && chunks) return settle(proceedInChunks(chunks))
    readBody(incoming, reply.maxBytes, bodies, { done, refused })
  }
  try {
    const refused = refuseVersion(incoming)
    if (refused !== undefined) return deliver(refused)
    closeBehindFaultyFraming(incoming, outgoing)
    closeBehindIgnoredUpgrade(incoming, outgoing)
    const reply = handler(toHead(incoming, outgoing))
    if (isPromise(reply)) reply.then(go).catch(failed)
    else go(reply)
  } catch (bug) {
    failed(bug)
  }
}

const noRoom = hostError(
  503,
  'Too many request bodies in progress; retry in 1 second.',
  { code: 'OVERLOADED' },
  ['Retry-After', '1'],
)
