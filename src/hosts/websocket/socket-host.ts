import { resolveNumbers } from '../../shapes/number-row.js'
import { checkOptions, objectOf } from '../../shapes/shape.js'
import { maxInt32, wholeNumberFrom } from '../../shapes/shapes.js'
import { showValue } from '../../shapes/show-value.js'
import { Sessions, type SocketCloseReport, type SocketStats } from '../../websocket/sessions.js'
import type { SocketEndpoint, WebSocketCloseOptions } from '../../websocket/operations.js'
import {
  socketRows,
  webSocketShape,
  type WebSocketOptions,
} from '../../websocket/socket-options.js'

/** What all hosts of WebSockets have in common. */
export interface SocketHost {
  /** Refuses new sockets and closes all others, so that clients connect again elsewhere. */
  close(this: void, options?: WebSocketCloseOptions): Promise<SocketCloseReport>
  readonly stats: () => SocketStats
}

/** `readyState` of a socket that has closed, perhaps while something was awaited before it is given to a host. */
export const closed = 3

const aTime = wholeNumberFrom(0, maxInt32)
const closeShape = objectOf<WebSocketCloseOptions>('{ spread, deadline }', {
  spread: aTime,
  deadline: aTime,
})

export function createSessions(
  caller: string,
  endpoint: SocketEndpoint,
  options: WebSocketOptions,
): { readonly sessions: Sessions; readonly host: SocketHost } {
  const operations = (endpoint as Partial<SocketEndpoint> | undefined)?.operations
  if (typeof operations?.start !== 'function') {
    throw new TypeError(
      `${caller}: expected an endpoint such as createEndpoint makes, got ${showValue(endpoint)}.`,
    )
  }
  checkOptions(caller, options, webSocketShape)
  const sessions = new Sessions(operations, resolveNumbers(socketRows, options))
  const close: SocketHost['close'] = (times = {}) => {
    checkOptions('close', times, closeShape)
    return sessions.close(times)
  }
  return { sessions, host: { close, stats: () => sessions.stats } }
}
