import type { ServerResponse } from 'node:http'
import type { Http2Session } from 'node:http2'
import { Readable } from 'node:stream'
import type { Flow, StreamBody } from '../../../http/message.js'
import { registerFlow } from '../streams/open-flows.js'
import { connectionOf, isHttp2, onceLeft, type Incoming, type Outgoing } from './incoming.js'
import { boundSending, cancel } from './send-timeout.js'

/** Compression as middleware holds back what was written until `flush` is called. */
interface MayFlush {
  readonly flush?: () => void
}

/** A flow that there is not yet. */
const unopened: Flow = { resume() {}, gone() {}, shutDown() {} }

/** Opens a stream on a response whose head is written. */
export function openStream(
  body: StreamBody,
  incoming: Incoming,
  outgoing: Outgoing,
  sendTimeout: number,
): void {
  const response = outgoing as ServerResponse & MayFlush
  const { flush } = response
  let flow = unopened
  let isOver = false
  const undo: (() => void)[] = []
  const over = (): void => {
    isOver = true
    for (const stop of undo) stop()
  }
  const drained = (): void => flow.resume()
  const gone = (): void => {
    if (isOver) return
    over()
    flow.gone()
  }
  undo.push(onceLeft(incoming, outgoing, gone))
  if (isOver) return body.discard()
  response.on('drain', drained)
  undo.push(() => response.off('drain', drained))
  const shutDown = (): void => flow.shutDown()
  undo.push(registerFlow(connectionOf(incoming), { shutDown }, outgoing))
  flow = body.open({
    write(piece) {
      if (isOver) return true
      if (response.writableEnded) {
        // Other code has ended the response, and a write would throw.
        gone()
        return true
      }
      const isBelow = response.write(piece)
      flush?.call(response)
      pingClient(incoming, sendTimeout)
      return isBelow
    },
    end() {
      if (isOver) return
      over()
      response.end()
      boundSending(incoming, outgoing, sendTimeout)
    },
    cut() {
      if (isOver) return
      over()
      // A client of HTTP/2 would take a reset without an error for the end of the body.
      if (isHttp2(incoming)) incoming.stream.close(cancel)
      else response.destroy()
    },
  })
  // The stream was over before there was a flow to tell.
  if (isOver) flow.gone()
}

/**
 * A stream as Node has it, for frameworks that send responses themselves. It opens when it is first read, and is
 * destroyed when the client has left, whether or not the framework does that.
 */
export function toReadable(
  body: StreamBody,
  incoming: Incoming,
  outgoing: Outgoing,
  sendTimeout: number,
): Readable {
  let flow: Flow | undefined
  let isOver = false
  const undo: (() => void)[] = []
  const over = (): void => {
    isOver = true
    for (const stop of undo) stop()
  }
  const shutDown = (): void => flow?.shutDown()
  const readable = new Readable({
    encoding: 'utf8',
    read() {
      if (flow !== undefined) return flow.resume()
      if (isOver) return
      undo.push(registerFlow(connectionOf(incoming), { shutDown }, outgoing))
      flow = body.open({
        write(piece) {
          if (isOver) return true
          pingClient(incoming, sendTimeout)
          return readable.push(piece)
        },
        end() {
          if (isOver) return
          over()
          readable.push(null)
        },
        cut: () => void readable.destroy(new Error('The stream was cut.')),
      })
    },
    destroy(error, done) {
      over()
      if (flow === undefined) body.discard()
      else flow.gone()
      done(error)
    },
  })
  // A framework that notices first destroys it by itself, and knows why.
  undo.push(onceLeft(incoming, outgoing, () => queueMicrotask(() => readable.destroy())))
  return readable
}

/** How long a connection is left alone after a ping. */
const restMs = 5000

/** When each connection with streams was last pinged. */
const pingedAt = new WeakMap<Http2Session, number>()

/**
 * To be called when something was written to a stream. If a client vanishes without FIN, writing goes on as if nothing had
 * happened: the system keeps what was written and sends it again, on Linux for 15 minutes. HTTP/2 can ask the client;
 * if nothing at all arrives for `sendTimeout`, its connection is closed. HTTP/1.1 has no way to ask.
 */
function pingClient(incoming: Incoming, sendTimeout: number): void {
  if (!isHttp2(incoming)) return
  const { session } = incoming.stream
  if (session === undefined || session.destroyed) return
  const now = performance.now()
  if (now - (pingedAt.get(session) ?? -Infinity) < restMs) return
  // No other ping before the time of this one is over.
  pingedAt.set(session, Infinity)
  const { bytesRead } = session.socket
  const timer = setTimeout(() => {
    pingedAt.set(session, performance.now())
    if (!session.destroyed && session.socket.bytesRead === bytesRead) session.destroy()
  }, sendTimeout)
  timer.unref()
  session.ping(() => {
    clearTimeout(timer)
    pingedAt.set(session, performance.now())
  })
}
