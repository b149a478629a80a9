import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { deliverBy, isStream, type Handler, type HttpResponse } from '../../../http/message.js'
import { internalError } from '../../host-error.js'
import { checkHost } from '../../host-options.js'
import { reasonPhrases } from '../../reason-phrase.js'
import { releaseBody } from './held-body.js'
import { refuseVersion, toRequest } from './listener.js'
import {
  isGone,
  isHttp2,
  isStillSending,
  onceGone,
  type Incoming,
  type Outgoing,
} from './incoming.js'
import { closeUnread, lingerBehind } from './linger.js'
import {
  nodeHostShape,
  resolveNodeHostOptions,
  type NodeExchange,
  type NodeHostOptions,
  type NodeHostSettings,
} from './node-host-options.js'
import { toReadable } from './open-stream.js'
import { serveBeforeLast } from './request-turns.js'

/** What a framework knows about a request that Node's request object does not show. */
export interface FrameworkRequest {
  /** The body, if the framework has already parsed it. */
  readonly body?: unknown
  /** The target as the client sent it, if a router has shortened it, as in Koa. */
  readonly originalUrl?: string | undefined
}

/** A response for a framework to send. `mergeHeaders` merges its headers with those that are set. */
export interface NodeResponse extends Omit<HttpResponse, 'body'> {
  /** A text, bytes, or a stream such as the events of a subscription. */
  readonly body: string | Buffer | Readable
  /** The reason phrase, where it is not the one that Node sends by itself, and the protocol has phrases; else undefined. */
  readonly statusMessage: string | undefined
}

/** Returns the response to a request of Node's servers without writing it; never rejects. */
export type NodeResponder<Raw extends Incoming = Incoming> = (
  incoming: Raw,
  outgoing: Outgoing,
  framework?: FrameworkRequest,
) => Promise<NodeResponse>

/**
 * Turns the handler into a function that returns responses without writing them, for frameworks that
 * send responses themselves, such as Fastify and Koa: their hooks, cookies and headers then stay in
 * effect. If the client disconnects first, it returns a response that will not be sent.
 */
export function toNodeResponder<Raw extends Incoming>(
  handler: Handler<Raw>,
  options: NodeHostOptions = {},
): NodeResponder<Raw> {
  checkHost('toNodeResponder', handler, options, nodeHostShape)
  const responder = createResponder(handler, resolveNodeHostOptions(options))
  return (incoming, outgoing, framework = {}) => responder(incoming, incoming, outgoing, framework)
}

/** Makes a responder with checked options, for hooks that get the framework's own request as `head.raw`. */
export function createResponder<Raw>(
  handler: Handler<Raw>,
  settings: NodeHostSettings,
): (
  raw: Raw,
  incoming: Incoming,
  outgoing: Outgoing,
  framework: FrameworkRequest,
) => Promise<NodeResponse> {
  return (raw, incoming, outgoing, { body, originalUrl }) => {
    if (body !== undefined) Object.assign(incoming, { body })
    if (originalUrl !== undefined) Object.assign(incoming, { originalUrl })
    const exchange = { incoming, outgoing, settings }
    return new Promise((resolve) => {
      const run = (): void => respond(handler, raw, exchange, resolve)
      serveBeforeLast(exchange, run, () => resolve(notSent))
    })
  }
}

function respond<Raw>(
  handler: Handler<Raw>,
  raw: Raw,
  exchange: NodeExchange,
  resolve: (response: NodeResponse) => void,
): void {
  const { incoming, outgoing, settings } = exchange
  let isDelivered = false
  let forget: (() => void) | void = undefined
  const deliver = (response: HttpResponse): void => {
    const { body } = response
    const statusMessage = isHttp2(incoming) ? undefined : reasonPhrases[response.status]
    finishReading(exchange, () => {
      isDelivered = true
      // Frameworks add seven listeners of their own to a response that is a stream; Node warns of more than ten.
      forget?.()
      // It waits for earlier responses, and one of these may be a stream that stays open.
      if (outgoing.socket === null && !isGone(incoming, outgoing)) releaseBody(incoming)
      if (typeof body === 'string') return resolve({ ...response, body, statusMessage })
      if (!isStream(body)) {
        // Frameworks send buffers as bytes, but other byte arrays as objects.
        const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
        return resolve({ ...response, body: bytes, statusMessage })
      }
      // The framework will never see it.
      if (isGone(incoming, outgoing)) {
        body.discard()
        return resolve(notSent)
      }
      const readable = toReadable(body, exchange)
      resolve({ ...response, body: readable, statusMessage })
    })
  }
  const failed = (bug: unknown): void => {
    const id = settings.createId()
    deliver(internalError(id))
    settings.onBug(bug, { id })
  }
  const refused = refuseVersion(incoming)
  if (refused !== undefined) return deliver(refused)
  deliverBy(handler, toRequest(raw, exchange), deliver, failed)
  if (isDelivered) return
  // Added after the listener of the handler, whose response to a client that leaves comes first.
  forget = onceGone(incoming, outgoing, () => resolve(notSent))
}

/** For a client that has left, or sent a request behind the last of its connection. */
const notSent: NodeResponse = { status: 400, headers: [], body: '', statusMessage: undefined }

/** The framework does not know that a body is still arriving. */
function finishReading(exchange: NodeExchange, done: () => void): void {
  const { incoming, outgoing } = exchange
  if (isHttp2(incoming)) {
    closeUnread(incoming)
    return done()
  }
  const http1 = outgoing as ServerResponse
  if (isStillSending(incoming, http1)) lingerBehind(exchange, done)
  else done()
}
