import { pingMessage } from '../../websocket/messages.js'
import type { SocketPort } from '../../websocket/socket.js'

/** A WebSocket as the web has it, on the side of the server: of Deno.upgradeWebSocket, or one of a WebSocketPair. */
export interface StandardSocket {
  /** Some runtimes have none. */
  readonly bufferedAmount?: number
  readonly protocol?: string | null
  readonly readyState: number
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close' | 'error', listener: () => void): void
}

/** How often a socket is asked whether the client has read: no event reports that. */
const pollMs = 20

/** `readyState` of a socket that is open. */
const open = 1

/** The code of a socket whose client is to connect again. */
const goingAway = 1001

/**
 * A standard socket for a session. The runtime keeps what it was given until the client reads it or leaves, since no standard
 * socket can be cut, so that it gets little at once. What it holds is remembered: Deno reports 0 once a socket is closing. `stop`
 * ends what asks whether the client has read.
 */
export function toStandardPort(
  socket: StandardSocket,
  maxUnsent: number,
  drained: () => void,
): { readonly port: SocketPort; readonly stop: () => void } {
  let waiting: string[] = []
  let waitingLength = 0
  let unread = 0
  const measure = (): number => {
    if (socket.readyState === open) unread = socket.bufferedAmount ?? 0
    return unread
  }
  const sendWaiting = (most: number): void => {
    while (socket.readyState === open && measure() < most) {
      const text = waiting.shift()
      if (text === undefined) return
      waitingLength -= text.length
      socket.send(text)
    }
  }
  const end = (code: number, reason: string): void => {
    waiting = []
    waitingLength = 0
    closeSocket(socket, code, reason)
  }
  let polling: ReturnType<typeof setInterval> | undefined
  const stop = (): void => {
    clearInterval(polling)
    polling = undefined
  }
  const port: SocketPort = {
    get bufferedAmount() {
      return measure() + waitingLength
    },
    get uncuttable() {
      return measure()
    },
    send(text) {
      if (socket.readyState !== open) return
      waiting.push(text)
      waitingLength += text.length
      sendWaiting(maxUnsent)
      if (polling !== undefined || port.bufferedAmount < maxUnsent) return
      polling = setInterval(() => {
        sendWaiting(maxUnsent)
        if (socket.readyState === open && port.bufferedAmount >= maxUnsent / 2) return
        stop()
        drained()
      }, pollMs)
    },
    /** The standard socket cannot send ping frames. */
    ping: () => port.send(pingMessage),
    close(code, reason) {
      if (code === goingAway) sendWaiting(Infinity)
      end(code, reason)
    },
    terminate: () => end(goingAway, ''),
  }
  return { port, stop }
}

function closeSocket(socket: StandardSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason)
  } catch {
    // The standard allows only 1000 and application codes, and some runtimes enforce that.
    socket.close(code < 3000 ? code + 3000 : code, reason)
  }
}
