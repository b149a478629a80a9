import { AsyncResource } from 'node:async_hooks'
import { on } from 'node:events'
import { longTurns } from '../../../base/long-turns.js'
import { mostWeight, weightOf } from '../../../base/json.js'
import type { Body, HttpResponse, ParsedJson } from '../../../http/message.js'
import { fieldValue } from '../../../http/message.js'
import { GatheredBody } from '../../gathered-body.js'
import { overloaded, tooManyChunks } from '../../host-error.js'
import { freeBytes, heldBody, HeldBody, lightBytesOfHttp2 } from './held-body.js'
import type { NodeExchange } from './node-host-options.js'
import { startInTurn } from './request-turns.js'
import { isHttp2, type Incoming } from './incoming.js'

type Settled = Exclude<ReturnType<Body['read']>, PromiseLike<unknown>>

/** The body of a request of Node, or what a framework has made of it. If it is cut off, it never arrives. */
export function toBody(exchange: NodeExchange, parsed: Uint8Array | ParsedJson | undefined): Body {
  const { incoming, outgoing } = exchange
  return {
    read(maxBytes) {
      if (parsed !== undefined) return parsed
      if (incoming.readableDidRead) throw new Error(consumed)
      if (outgoing.headersSent && !outgoing.writableEnded) throw new Error(begun)
      if (incoming.readableEnded) return new Uint8Array(0)
      let settled: Settled | undefined
      let waiting: ((body: Settled) => void) | undefined
      let context: AsyncResource | undefined
      // Hooks behind a body run in the context of the request. Node resumes a request in that; but what arrives after that, it
      // emits in the context of the socket.
      const keepContext = (): void => {
        if (!incoming.complete) context ??= new AsyncResource('REQUESTBODY')
      }
      if (incoming.readableFlowing === true) keepContext()
      else incoming.on('resume', keepContext)
      // Begins at once: other code may let the body flow before `then` is called.
      gatherBody(exchange, maxBytes, (body) => {
        const [goOn, own] = [waiting, context]
        // The connection keeps the listener above, which must not keep these.
        waiting = context = undefined
        if (goOn === undefined) settled = body
        else if (own === undefined) goOn(body)
        else own.runInAsyncScope(goOn, undefined, body)
      })
      // Without a promise: that saves 2 to 15 percent of a small request.
      const arriving = {
        // oxlint-disable-next-line unicorn/no-thenable -- that is what it is
        then(done: (body: Settled) => void): void {
          if (settled === undefined) waiting = done
          else done(settled)
        },
      }
      return arriving as PromiseLike<unknown> as PromiseLike<Settled>
    },
    chunks() {
      if (parsed !== undefined) return undefined
      if (incoming.readableDidRead) throw new Error(consumed)
      const held = new HeldBody(exchange)
      let weight = 0
      return {
        hold: (piece) => held.keep((weight += weightOf(piece))),
        [Symbol.asyncIterator]: () => iterate(exchange),
      }
    },
    hold: (decoded) => heldBody(exchange).keep(weightOf(decoded)),
  }
}

/**
 * Reads the body, or as much as exceeds the limit, and passes it on once, unless the client disconnects first. An async
 * iterator would cost a fifth more.
 */
function gatherBody(exchange: NodeExchange, maxBytes: number, done: (body: Settled) => void): void {
  const { incoming, settings } = exchange
  const { maxSmallChunks } = settings
  // A connection keeps its last request, and with that the listeners here, until the next one. They must not keep the
  // body, nor who waits for it, whose data would outlive garbage collections: that took a fifth of a long list.
  let waiting: typeof done | undefined = done
  const body = new GatheredBody(() => Math.min(maxBytes, declaredLength(incoming)))
  // Most bodies are not counted.
  const free = isHttp2(incoming) ? lightBytesOfHttp2 : freeBytes
  let held = isHttp2(incoming) ? heldBody(exchange) : undefined
  if (held?.keep(0) === false) return done({ refused: noRoom })
  const finish = (refused?: HttpResponse): void => {
    const whole = body.take()
    const told = waiting
    waiting = undefined
    if (isCutOff(exchange) || told === undefined) return
    const mayBeHeavy = whole.byteLength * mostWeight > free
    const isHeavy = mayBeHeavy && !keep(whole)
    const refusal = refused ?? (isHeavy ? noRoom : undefined)
    const settled = refusal === undefined ? whole : { refused: refusal }
    // What takes long must not come from many connections in one turn.
    if (whole.byteLength > smallBody) longTurns.note(0)
    const isLate = longTurns.isBegun && longTurns.isLong
    if (!isHttp2(incoming) && !mayBeHeavy && !isLate) return told(settled)
    // Not in the line of a pipeline, which is read on once all in it have started.
    startInTurn(incoming, settings, {
      run: () => told(settled),
      isGone: () => isCutOff(exchange),
    })
  }
  /** Weighing takes half as long as parsing: while there is much room, the most that it can be is counted. */
  const keep = (whole: Uint8Array): boolean => {
    held ??= heldBody(exchange)
    const most = whole.byteLength * mostWeight
    return (settings.bodies.isNearlyUnused && held.keep(most)) || held.keep(weightOf(whole))
  }
  const stop = (refused?: HttpResponse): void => {
    incoming.pause()
    incoming.off('data', onData)
    incoming.off('end', finish)
    finish(refused)
  }
  const onData = (chunk: Uint8Array | string): void => {
    // Something else has responded.
    if (held?.isOver === true) return
    body.add(typeof chunk === 'string' ? toBytes(chunk, incoming) : chunk)
    if (body.smallChunks > maxSmallChunks) return stop(tooManyChunks(maxSmallChunks))
    if (body.held > free) {
      held ??= heldBody(exchange)
      if (!held.keep(body.held)) return stop(noRoom)
    }
    if (body.size > maxBytes) stop()
  }
  incoming.on('data', onData)
  incoming.on('end', finish)
  // If a middleware has paused the request, a listener alone does not make it flow.
  if (incoming.isPaused()) incoming.resume()
}

/** To parse a larger one may take long. */
const smallBody = 2048

const noRoom = overloaded('Too many request bodies in progress')

/** Whether nothing may run: part of the body is missing, or something else has responded, such as a time limit. */
function isCutOff({ incoming, outgoing }: NodeExchange): boolean {
  return incoming.aborted || outgoing.headersSent
}

const consumed =
  'The body was read before graphwire got the request, and `request.body` is not set. Put graphwire ' +
  'before the middleware that reads it, or let that set `request.body` to the parsed JSON, the text ' +
  'or the bytes (the function that toNodeResponder makes takes it as `{ body }`).'

const begun = 'The response was begun before graphwire got the request.'

function declaredLength({ rawHeaders }: Incoming): number {
  return Number(fieldValue(rawHeaders, 'content-length')) || Infinity
}

/** After `setEncoding` chunks are text; the same encoding turns them back into bytes. */
function toBytes(chunk: string, { readableEncoding }: Incoming): Uint8Array {
  return Buffer.from(chunk, readableEncoding ?? 'utf8')
}

/** The body that a framework has put on the request: parsed JSON, or the bytes of a raw or text parser. */
export function parsedBody(incoming: Incoming): Uint8Array | ParsedJson | undefined {
  const { body } = incoming as { readonly body?: unknown }
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  // A parser for other types sets an empty object or null, and leaves the stream unread.
  if (isEmpty(body) && !incoming.readableDidRead && !incoming.readableEnded) return undefined
  return { json: body }
}

function isEmpty(body: unknown): boolean {
  return body === null || (typeof body === 'object' && Object.keys(body).length === 0)
}

const over: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined }

/**
 * Reads the body piece by piece, and only as fast as it is asked for. Node's own iterator could not be ended while it waits
 * for a client that sends nothing.
 */
function iterate(exchange: NodeExchange): AsyncIterator<Uint8Array, undefined> {
  const { incoming } = exchange
  let isOver = incoming.readableEnded
  const pieces = on(incoming, 'data', { close: ['end', 'close'] })
  const pause = (): void => void incoming.pause()
  incoming.on('data', pause)
  return {
    async next() {
      if (isOver) return over
      incoming.resume()
      const { done, value } = (await pieces.next()) as IteratorResult<[Uint8Array | string]>
      if (done !== true) {
        const [piece] = value
        return { done: false, value: typeof piece === 'string' ? toBytes(piece, incoming) : piece }
      }
      const isCut = !isOver && (isCutOff(exchange) || !incoming.readableEnded)
      if (isCut) throw new Error('The body was cut off.')
      return over
    },
    async return() {
      isOver = true
      incoming.pause()
      incoming.off('data', pause)
      await pieces.return?.()
      return over
    },
  }
}
