import type { HttpResponse } from '../../../http/message.js'
import { hasPath } from '../../../http/target.js'
import { hostError } from '../../host-error.js'
import type { ConnectionSettings } from './connection-options.js'
import type { Incoming, Outgoing } from '../exchange/incoming.js'
import { send } from '../exchange/send.js'

/** Responds to a request if it is a health check; false if it is not. */
export type Probes = (incoming: Incoming, outgoing: Outgoing) => boolean

/** Health checks at `livePath` and `readyPath`. */
export function createProbes(settings: ConnectionSettings, isDraining: () => boolean): Probes {
  const { livePath, readyPath } = settings
  return (incoming, outgoing) => {
    const { method, url = '/' } = incoming
    const isLive = livePath !== undefined && hasPath(url, livePath)
    if (!isLive && !(readyPath !== undefined && hasPath(url, readyPath))) return false
    if (method !== 'GET' && method !== 'HEAD') send(notAllowed, incoming, outgoing, settings)
    else if (isLive) send(ok, incoming, outgoing, settings)
    else if (isDraining()) send(draining, incoming, outgoing, settings)
    else {
      void isReady(settings).then((ready) => {
        const response = isDraining() ? draining : ready ? ok : unavailable
        send(response, incoming, outgoing, settings)
      })
    }
    return true
  }
}

const ok = statusOf(200, 'ok')
const unavailable = statusOf(503, 'unavailable')
const draining = statusOf(503, 'draining')

function statusOf(code: number, status: string): HttpResponse {
  return {
    status: code,
    headers: [
      'Content-Type',
      'application/json',
      'X-Content-Type-Options',
      'nosniff',
      'Cache-Control',
      'no-store',
    ],
    body: JSON.stringify({ status }),
  }
}

const notAllowed = hostError(405, 'Use GET or HEAD.', { code: 'METHOD_NOT_ALLOWED' }, [
  'Allow',
  'GET, HEAD',
])

/** A check that takes longer means that the server is not ready. */
const maxReadyMs = 2_000

async function isReady({ ready, onBug, createId }: ConnectionSettings): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, maxReadyMs, false)
    timer.unref()
  })
  try {
    return await Promise.race([ready(), timedOut])
  } catch (bug) {
    onBug(bug, { id: createId() })
    return false
  } finally {
    clearTimeout(timer)
  }
}
