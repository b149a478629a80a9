/** How a session uses its socket. */
export interface SocketPort {
  /** Sends a text message. Nothing happens on a socket that is closing. */
  send(text: string): void
  /** Sends a ping that the client must answer; `Session.heard` follows. */
  ping(): void
  /** Sends a close frame; the socket closes when the client has answered, or soon. */
  close(code: number, reason: string): void
  /** Closes the socket at once. */
  terminate(): void
  /** Stops reading: the client must wait. Messages that have arrived may still come. */
  pause(): void
  /** Reads again. */
  resume(): void
  /** How many bytes wait for the client to read. `Session.drained` follows when there are few again. */
  readonly unsent: number
}
