export { setHeaders, toFetch } from '../fetch.js'
export { bunWebSocket, createSocketAcceptor } from '../websocket/runtime-sockets.js'
export type { FetchHandler } from '../fetch.js'
export type { HostOptions } from '../host-options.js'
export type { SocketEndpoint, WebSocketCloseOptions } from '../../websocket/operations.js'
export type { WebSocketOptions } from '../../websocket/socket-options.js'
export type {
  BunServer,
  BunSocket,
  BunWebSocket,
  SocketAcceptor,
} from '../websocket/runtime-sockets.js'
export type { StandardSocket } from '../websocket/standard-port.js'
export type { SocketCloseReport, SocketStats } from '../../websocket/sessions.js'
