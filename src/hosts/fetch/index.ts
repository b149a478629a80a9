export { setHeaders, toFetch } from '../fetch.js'
export { bunWebSocket } from '../websocket/bun-web-socket.js'
export { createSocketAcceptor } from '../websocket/socket-acceptor.js'
export type { FetchHandler } from '../fetch.js'
export type { HostOptions } from '../host-options.js'
export type { BunServer, BunSocket, BunWebSocket } from '../websocket/bun-web-socket.js'
export type {
  SocketEndpoint,
  WebSocketCloseOptions,
  WebSocketOptions,
} from '../../websocket/operations.js'
export type { SocketAcceptor, StandardSocket } from '../websocket/socket-acceptor.js'
export type { SocketCloseReport, SocketStats } from '../../websocket/sessions.js'
