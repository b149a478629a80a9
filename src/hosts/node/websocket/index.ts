export { createWebSocketHost } from './websocket-host.js'
export { SocketIncomingMessage } from './socket-incoming-message.js'
export type { WsSocket } from './connect-socket.js'
export type { WebSocketHost } from './websocket-host.js'
export type {
  SocketEndpoint,
  WebSocketCloseOptions,
  WebSocketOptions,
} from '../../../websocket/operations.js'
export type { SocketCloseReport, SocketStats } from '../../../websocket/sessions.js'
