import type { HttpResponse } from '../../../http/message.js'
import { hasPath } from '../../../http/target.js'
import { isPromise, untilSettled } from '../../../base/promise.js'
import { hostError, methodNotAllowed, unstored } from '../../host-error.js'
import type { ConnectionSettings } from './connection-options.js'
import type { Incoming, Outgoing } from '../exchange/incoming.js'
import type { NodeExchange } from '../exchange/node-host-options.js'
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
  isDraining: () => boolean,
  refuseHead: (incoming: Incoming) => HttpResponse | undefined,
): Respond {
  const { livePath, readyPath } = settings
  // The overloads of `createHostServer` only accept listeners for the protocols of this server.
  const listen = listener as (incoming: Incoming, outgoing: Outgoing) => unknown
  const isReady = createReadyCheck(settings)
  return (incoming, outgoing) => {
    const refusal = refuseHead(incoming)
    if (refusal !== undefined) return send(refusal, { incoming, outgoing, settings })
    const { url = '/' } = incoming
    if (livePath !== undefined && hasPath(url, livePath)) {
      return send(refuseProbe(incoming) ?? ok, { incoming, outgoing, settings })
    }
    if (readyPath !== undefined && hasPath(url, readyPath)) {
      return respondToReadiness({ incoming, outgoing, settings }, isReady, isDraining)
    }
    const failed = (bug: unknown): void => sendFailure(bug, { incoming, outgoing, settings })
    try {
      const done = listen(incoming, outgoing)
      if (isPromise(done)) done.then(undefined, failed)
    } catch (bug) {
      failed(bug)
    }
  }
}

export function isProbe(
  { url = '/' }: Incoming,
  { livePath, readyPath }: ConnectionSettings,
): boolean {
  return [livePath, readyPath].some((path) => path !== undefined && hasPath(url, path))
}

export const unknownExpectation: HttpResponse = hostError(
  417,
  'EXPECTATION_FAILED',
  'Unsupported Expect header: only 100-continue is supported.',
)

function refuseProbe({ method }: Incoming): HttpResponse | undefined {
  return method === 'GET' || method === 'HEAD' ? undefined : notAllowed
}

function respondToReadiness(
  exchange: NodeExchange,
  isReady: () => Promise<boolean>,
  isDraining: () => boolean,
): void {
  const known = refuseProbe(exchange.incoming) ?? (isDraining() ? draining : undefined)
  if (known !== undefined) return send(known, exchange)
  void isReady().then((ready) => {
    const response = isDraining() ? draining : ready ? ok : unavailable
    send(response, exchange)
  })
}

const ok = statusOf(200, 'ok')
const unavailable = statusOf(503, 'unavailable')
const draining = statusOf(503, 'draining')

function statusOf(code: number, status: string): HttpResponse {
  const headers = ['Content-Type', 'application/json', ...unstored]
  return { status: code, headers, body: JSON.stringify({ status }) }
}

const notAllowed = methodNotAllowed('Use GET or HEAD.', 'GET, HEAD')

/** A check that takes longer means that the server is not ready. */
const maxReadyMs = 2_000

/** Requests share a check that runs: each may ask a database. */
function createReadyCheck(settings: ConnectionSettings): () => Promise<boolean> {
  let running: Promise<boolean> | undefined
  return () => (running ??= check(settings).finally(() => (running = undefined)))
}

async function check({ ready, onBug, createId }: ConnectionSettings): Promise<boolean> {
  let isReady = false
  const asked = (async () => (isReady = await ready()))()
  const reported = asked.catch((bug: unknown) => onBug(bug, { id: createId() }))
  await untilSettled(reported, maxReadyMs)
  return isReady
}
