import { resolveNumbers } from '../../shapes/number-row.js'
import { checkOptions } from '../../shapes/shape.js'
import { showValue } from '../../shapes/show-value.js'
import { Sessions } from '../../websocket/sessions.js'
import {
  socketRows,
  webSocketShape,
  type SocketEndpoint,
  type WebSocketOptions,
} from './socket-options.js'

/** Checks the arguments of a host, and makes its sessions. */
export function createSessions(
  caller: string,
  endpoint: SocketEndpoint,
  options: WebSocketOptions,
): Sessions {
  const operations = (endpoint as Partial<SocketEndpoint> | undefined)?.operations
  if (typeof operations?.start !== 'function') {
    throw new TypeError(
      `${caller}: expected an endpoint such as createEndpoint makes, got ${showValue(endpoint)}.`,
    )
  }
  checkOptions(caller, options, webSocketShape)
  return new Sessions(operations, resolveNumbers<WebSocketOptions>(socketRows, options))
}
