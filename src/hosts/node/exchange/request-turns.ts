import { inThisContext } from '../../../base/async-context.js'
import { isReset } from '../../../http/client-address.js'
import { longTurns } from '../../../base/long-turns.js'
import { TurnLines, type WaitingStart } from '../../../base/turn-lines.js'
import { Turns } from '../../../base/turns.js'
import { isEndUnclear, isGone, isHttp2, lastAnswered, onceGone, type Incoming } from './incoming.js'
import type { NodeExchange, NodeHostSettings } from './node-host-options.js'

/**
 * Limits the requests that start in a turn of the event loop, over all connections: 16 of those that a client can send by
 * the hundred in one packet (HTTP/2 and pipelines), and none once the turn has taken 10 ms.
 */
const requestTurns = /* @__PURE__ */ new Turns(16, 16, 10)

/** How much the heads that wait may weigh: those of 10,000 ordinary requests. */
const maxWeight = 320_000

export const bytesPerLine = 64

/** A request takes as much memory as about 16 lines, and its lines. */
export function weightOfHead(rawHeaders: readonly string[]): number {
  const length = rawHeaders.reduce((sum, text) => sum + text.length, 0)
  return 16 + rawHeaders.length / 2 + length / bytesPerLine
}

/** A line for each client, and for each connection that carries many requests at once: others must wait behind those in it. */
export const requestLines: TurnLines<string | object> = /* @__PURE__ */ new TurnLines(
  requestTurns,
  maxWeight,
)

/**
 * Starts a request in this turn or a later one, unless the request is gone by then. A connection of HTTP/2 has a line of its own,
 * unless it is one of a proxy.
 */
export function startInTurn(
  incoming: Incoming,
  { clientOf, trustedProxies }: NodeHostSettings,
  start: WaitingStart,
): void {
  const client = clientOf(incoming) ?? incoming.socket
  const session = isHttp2(incoming) ? incoming.stream.session : undefined
  const line = trustedProxies > 0 ? client : (session ?? client)
  if (requestTurns.isOver || longTurns.isLong || requestLines.has(line)) {
    return waitForTurn(line, start, client)
  }
  requestTurns.note(1)
  start.run()
}

/** Whether a request has to wait, since this turn has taken long. One with a body waits once that is there. */
export function isLate(incoming: Incoming): boolean {
  const { headers, readableEnded } = incoming
  const hasBody = isHttp2(incoming)
    ? !incoming.stream.endAfterHeaders
    : 'content-length' in headers || 'transfer-encoding' in headers
  return (readableEnded || !hasBody) && longTurns.isLong
}

/** Starts it in a later turn, in the asynchronous context of its own arrival. */
export function waitForTurn(
  line: string | object,
  { run, ...rest }: WaitingStart,
  owner: string | object = line,
): void {
  requestLines.add(line, { ...rest, run: inThisContext(run) }, owner)
}

/**
 * Serves a request on a server of your own, unless it came after the last one (RFC 9112 section 9.6). A middleware may have held
 * one that came before: only of these, the responses get their turn. If the end of the request is unclear, its response closes the
 * connection. Our servers know the state of each connection instead. `left` is called when the client of one after the last has
 * left; with it, a request that is late is served even if its client has left.
 */
export function serveBeforeLast(
  { incoming, outgoing, settings }: NodeExchange,
  run: () => void,
  left?: () => void,
): void {
  if (isReset({ raw: incoming })) return left?.()
  const serve = (): void => {
    if (!longTurns.isBegun || !isLate(incoming)) return run()
    // Those of a pipeline run side by side on such a server, as Node emits them.
    waitForTurn(settings.clientOf(incoming) ?? incoming, {
      run,
      isGone: () => left === undefined && isGone(incoming, outgoing),
    })
  }
  if (isHttp2(incoming)) return serve()
  const isMarked = lastAnswered.has(incoming.socket)
  if ('shouldKeepAlive' in outgoing && isEndUnclear(incoming)) {
    lastAnswered.add(incoming.socket)
    outgoing.shouldKeepAlive = false
  }
  if (!isMarked) return serve()
  if (left !== undefined) onceGone(incoming, outgoing, left)
  if (outgoing.socket === null) outgoing.once('socket', inThisContext(serve))
  else if (outgoing.socket?.writable) serve()
}
