import { IncomingMessage } from 'node:http'

/**
 * A request for servers that serve WebSockets. Node gives *every* request with `Upgrade` to the listener of `upgrade` once
 * there is one. A `POST` with `Upgrade: h2c`, as Java's HttpClient sends by default, would be lost. With this class,
 * only requests for a WebSocket go there, and all others are served as ever.
 */
export class SocketIncomingMessage extends IncomingMessage {
  /** The value of the parser. Not a `#` field, since the constructor of Node sets `upgrade` before those exist. */
  declare private isUpgrade: boolean | null

  /** Node sets it before the headers are there, so the decision is made when it is read. */
  get upgrade(): boolean {
    return (
      this.isUpgrade === true &&
      (this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket')
    )
  }

  set upgrade(isSeen: boolean | null) {
    this.isUpgrade = isSeen
  }
}
