import {
  resolveSocketNumbers,
  socketShapes,
  type SocketNumbers,
} from '../../options/socket-options.js'
import { checkOptions, objectOf, type Shape } from '../../shapes/shape.js'
import { showValue } from '../../shapes/show-value.js'
import type { SocketOperations } from '../../websocket/operations.js'
import { Sessions } from '../../websocket/sessions.js'

/** The options of sockets. */
export interface WebSocketOptions extends SocketNumbers {}

/** What hosts for sockets need of an endpoint; `createEndpoint` makes one. */
export interface SocketEndpoint {
  readonly operations: SocketOperations
}

/** The valid values of the options. */
export const webSocketShape: Shape = objectOf<WebSocketOptions>('{ maxSockets }', socketShapes)

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
  return new Sessions(operations, resolveSocketNumbers(options))
}
