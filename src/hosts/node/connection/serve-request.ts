import type { HttpResponse } from '../../../http/message.js'
import { isPromise } from '../../../base/promise.js'
import { hostError } from '../../host-error.js'
import type { ConnectionSettings } from './connection-options.js'
import { isBehindLast } from '../exchange/closing.js'
import type { Incoming, Outgoing } from '../exchange/incoming.js'
import type { Probes } from './probes.js'
import { send, sendFailure } from '../exchange/send.js'

/** Responds to a request that its connection has admitted. */
export type Respond = (incoming: Incoming, outgoing: Outgoing) => void

/** A listener for the HTTP versions of the server; it may be an async function. */
export type AnyListener = (incoming: never, outgoing: never) => unknown

/**
 * Puts the checks of the head and the health checks in front of a listener. If that throws or rejects, it is reported as a
 * bug and must not end the process.
 */
export function createRespond(
  listener: AnyListener,
  settings: ConnectionSettings,
  respondToProbe: Probes,
  refuseHead: (incoming: Incoming) => HttpResponse | undefined,
): Respond {
  // The overloads of `createHostServer` only accept listeners for what this server speaks.
  const listen = listener as (incoming: Incoming, outgoing: Outgoing) => unknown
  return (incoming, outgoing) => {
    if (isBehindLast(incoming)) return
    const refusal = refuseHead(incoming)
    if (refusal !== undefined) return send(refusal, incoming, outgoing, settings)
    if (respondToProbe(incoming, outgoing)) return
    try {
      const done = listen(incoming, outgoing)
      if (isPromise(done)) awaitListener(done, incoming, outgoing, settings)
    } catch (bug) {
      sendFailure(bug, incoming, outgoing, settings)
    }
  }
}

function awaitListener(
  done: PromiseLike<unknown>,
  incoming: Incoming,
  outgoing: Outgoing,
  settings: ConnectionSettings,
): void {
  done.then(undefined, (bug: unknown) => sendFailure(bug, incoming, outgoing, settings))
}

/** The response to an expectation other than 100-continue. */
export const unknownExpectation: HttpResponse = hostError(
  417,
  'Unsupported Expect header: only 100-continue is supported.',
  { code: 'EXPECTATION_FAILED' },
)
