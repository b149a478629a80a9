import { TargetConnections, type TargetConnectionOptions } from './connections.js'
import type { Exchange } from './exchange.js'
import { checkReachable } from './reachable.js'
import { sendRequest } from './send-request.js'
import { toTarget, type Target } from './target.js'
import type { WireRequest } from './to-wire-request.js'

/** A target for single requests, outside a run. */
export interface OpenTarget {
  readonly target: Target
  /** Failures are part of the exchange. */
  send(request: WireRequest): Promise<Exchange>
  readonly close: () => Promise<void>
}

/** Opens a target; throws a TypeError for an invalid URL, and an UnreachableError if there is no server. */
export async function openTarget(
  url: string,
  options: TargetConnectionOptions,
): Promise<OpenTarget> {
  const target = toTarget(url)
  await checkReachable(target, options.timeout)
  const connections = new TargetConnections(target, options)
  return {
    target,
    send: (request) => sendRequest(connections, target, request, options.timeout),
    close: () => connections.destroy(),
  }
}
