import type { ServerResponse } from 'node:http'
import type { Http2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { inThisContext } from '../../../base/async-context.js'
import type { Flow, Sink, StreamBody } from '../../../http/message.js'
import { flowsOf, forgetFlow, registerFlow, type OpenFlow } from '../streams/open-flows.js'
import { connectionOf, isGone, isHttp2, onceGone, type Incoming } from './incoming.js'
import type { NodeExchange } from './node-host-options.js'
import { releaseBody } from './held-body.js'
import { boundSending, cutResponse, holdUnread } from './send-timeout.js'

/** The flow until the body is opened. */
const unopened: Flow = { resume() {}, gone() {}, shutDown() {} }

/** Opens a stream on a response whose head is written. */
export function openStream(body: StreamBody, exchange: NodeExchange): void {
  const { incoming } = exchange
  // A body that was read to its end has no more events, but its listeners would hold what they know while the stream is open.
  if (incoming.readableEnded) incoming.removeAllListeners('data').removeAllListeners('end')
  releaseBody(incoming)
  new NodeStream(exchange).open(body)
}

/**
 * A stream on a response of Node. An idle one should be small: it has one closure, and no listener is wrapped. `this` of a
 * listener is not always the response: `compression` adds those of `drain` to its compressor.
 */
class NodeStream implements Sink, OpenFlow {
  readonly #exchange: NodeExchange
  /** Compression middleware holds back what was written until `flush` is called. */
  readonly #response: ServerResponse & { readonly flush?: () => void }
  readonly #connection: object
  readonly #onClose = (): void => this.gone()
  /** Set once the client reads too slowly. */
  #onDrain: (() => void) | undefined
  #forgetUnread: (() => void) | undefined
  #flow = unopened
  #isOver = false

  constructor(exchange: NodeExchange) {
    this.#exchange = exchange
    this.#response = exchange.outgoing as ServerResponse
    this.#connection = connectionOf(exchange.incoming)
  }

  open(body: StreamBody): void {
    const response = this.#response
    const isHttp1 = !isHttp2(this.#exchange.incoming)
    this.#watch()
    if (this.#isOver) return body.discard()
    // Written alone, the head becomes one text; a part of a larger one, it would remain in thirty pieces.
    if (isHttp1) {
      response.cork()
      response.flushHeaders()
    }
    this.#flow = body.open(this)
    if (isHttp1) response.uncork()
    // The stream was over before there was a flow to end.
    if (this.#isOver) this.#flow.gone()
  }

  write(piece: string): boolean {
    if (this.#isOver) return true
    const response = this.#response
    if (response.writableEnded) {
      // Other code has ended the response, and a write would throw.
      this.gone()
      return true
    }
    const isBelow = response.write(piece)
    if (!isBelow && this.#onDrain === undefined) {
      this.#onDrain = () => {
        this.#forgetUnread?.()
        this.#flow.resume()
      }
      response.on('drain', this.#onDrain)
    }
    if (!isBelow && response.writableLength > 0) this.#countUnread()
    response.flush?.()
    pingClient(this.#exchange)
    return isBelow
  }

  end(): void {
    if (this.#isOver) return
    const response = this.#response
    this.#over()
    response.end()
    if (response.writableLength > 0) boundSending(this.#exchange)
  }

  cut(): void {
    if (this.#isOver) return
    this.#over()
    cutResponse(this.#exchange)
  }

  shutDown(): void {
    this.#flow.shutDown()
  }

  gone(): void {
    if (this.#isOver) return
    this.#over()
    this.#flow.gone()
  }

  /** Closing a socket and half-closing it look alike, and a source must not wait for a write to fail. */
  halfClosed(): void {
    this.gone()
    this.#response.destroy()
  }

  #watch(): void {
    const response = this.#response
    const { incoming } = this.#exchange
    if (isGone(incoming, response)) return this.gone()
    registerFlow(this.#connection, this, response)
    const hasItsTurn = isHttp2(incoming) || response.socket !== null
    if (hasItsTurn) response.on('close', this.#onClose)
    else onceGone(incoming, response, this.#onClose)
    const socket = socketOf(incoming)
    if (socket?.readableEnded === true) this.halfClosed()
    else socket?.on('end', onHalfClosed)
  }

  #countUnread(): void {
    this.#forgetUnread?.()
    this.#forgetUnread = holdUnread(this.#exchange)
  }

  #over(): void {
    this.#isOver = true
    this.#forgetUnread?.()
    forgetFlow(this.#connection, this)
    if (this.#onDrain !== undefined) this.#response.off('drain', this.#onDrain)
    this.#response.off('close', this.#onClose)
    socketOf(this.#exchange.incoming)?.off('end', onHalfClosed)
  }
}

/** The socket of HTTP/1; some adapters have none. */
function socketOf(incoming: Incoming): Socket | undefined {
  return isHttp2(incoming) ? undefined : incoming.socket
}

/** The same function for all streams of a pipeline, as the event is that of their socket. */
function onHalfClosed(this: object): void {
  for (const stream of flowsOf(this)) if (stream instanceof NodeStream) stream.halfClosed()
}

/**
 * A stream as Node has it, for frameworks that send responses themselves. It opens when it is first read, and is
 * destroyed when the client has left, whether or not the framework does that.
 */
export function toReadable(body: StreamBody, exchange: NodeExchange): Readable {
  const { incoming, outgoing } = exchange
  releaseBody(incoming)
  // Koa reads it behind its middleware.
  const open = inThisContext((sink: Sink) => body.open(sink))
  let flow: Flow | undefined
  let isOver = false
  const undo: (() => void)[] = []
  const over = (): void => {
    isOver = true
    for (const stop of undo) stop()
  }
  const readable = new Readable({
    encoding: 'utf8',
    read() {
      if (flow !== undefined) return flow.resume()
      if (isOver) return
      const connection = connectionOf(incoming)
      const registered: OpenFlow = { shutDown: () => flow?.shutDown() }
      registerFlow(connection, registered, outgoing)
      undo.push(() => forgetFlow(connection, registered))
      flow = unopened
      flow = open({
        write(piece) {
          if (isOver) return true
          pingClient(exchange)
          return readable.push(piece)
        },
        end() {
          if (isOver) return
          over()
          readable.push(null)
        },
        cut: () => void readable.destroy(new Error('The stream was cut.')),
      })
      // The stream was cut before there was a flow to end.
      if (readable.destroyed) flow.gone()
    },
    destroy(error, done) {
      over()
      if (flow === undefined) body.discard()
      else flow.gone()
      done(error)
    },
  })
  // Later than a framework that notices it, which destroys the stream with its own reason.
  const gone = (): void => queueMicrotask(() => readable.destroy())
  onceGone(incoming, outgoing, gone)
  // As on a `NodeStream`: closing and half-closing look alike.
  const socket = socketOf(incoming)
  const halfClosed = (): void => {
    gone()
    outgoing.destroy()
  }
  if (socket?.readableEnded === true) halfClosed()
  else socket?.once('end', halfClosed)
  undo.push(() => void socket?.off('end', halfClosed))
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
function pingClient({ incoming, settings }: NodeExchange): void {
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
  }, settings.sendTimeout)
  timer.unref()
  session.ping(() => {
    clearTimeout(timer)
    pingedAt.set(session, performance.now())
  })
}
