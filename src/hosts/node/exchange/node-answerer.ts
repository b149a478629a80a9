import type { ServerResponse } from 'node:http'
import type { Handler, HttpResponse } from '../../../http/message.js'
import { checkOptions } from '../../../shapes/shape.js'
import { checkFunction } from '../../../shapes/shapes.js'
import { internalError } from '../../host-error.js'
import { aHandler } from '../../host-options.js'
import { answer } from './answer.js'
import { isHttp2, onceGone, type Incoming, type Outgoing } from './incoming.js'
import { closeUnread, lingerBehind, unreadBody } from './linger.js'
import {
  nodeHostShape,
  resolveNodeHostOptions,
  type NodeHostOptions,
  type NodeHostSettings,
} from './node-host-options.js'
import { reasonPhrase } from './send.js'

/** What a framework knows about a request that Node's request object does not show. */
export interface FrameworkRequest {
  /** The body, if the framework has already parsed it. */
  readonly body?: unknown
  /** The target as the client sent it, if a router has shortened it, as in Koa. */
  readonly originalUrl?: string | undefined
}

/** A response for a framework to send. `mergeHeaders` merges its headers with those that are set. */
export interface NodeAnswer extends HttpResponse {
  /** The reason phrase, if Node does not know the status and the protocol has phrases; else undefined. */
  readonly statusMessage: string | undefined
}

/** Returns the response to a request of Node's servers without writing it; never rejects. */
export type NodeAnswerer<Raw extends Incoming = Incoming> = (
  incoming: Raw,
  outgoing: Outgoing,
  framework?: FrameworkRequest,
) => Promise<NodeAnswer>

/**
 * Turns the handler into a function that returns responses without writing them, for frameworks that
 * send responses themselves, such as Fastify and Koa: their hooks, cookies and headers then stay in
 * effect. If the client disconnects first, it returns a response that will not be sent.
 */
export function toNodeAnswerer<Raw extends Incoming>(
  handler: Handler<Raw>,
  options: NodeHostOptions = {},
): NodeAnswerer<Raw> {
  checkFunction('toNodeAnswerer', aHandler, handler)
  checkOptions('toNodeAnswerer', options, nodeHostShape)
  const settings = resolveNodeHostOptions(options)
  return (incoming, outgoing, { body, originalUrl } = {}) => {
    if (body !== undefined) Object.assign(incoming, { body })
    if (originalUrl !== undefined) Object.assign(incoming, { originalUrl })
    return answerOne(handler, incoming, outgoing, settings)
  }
}

function answerOne<Raw extends Incoming>(
  handler: Handler<Raw>,
  incoming: Raw,
  outgoing: Outgoing,
  settings: NodeHostSettings,
): Promise<NodeAnswer> {
  return new Promise((resolve) => {
    const deliver = (response: HttpResponse): void => {
      const statusMessage = isHttp2(incoming) ? undefined : reasonPhrase(response.status)
      finishReading(incoming, outgoing, settings, () => resolve({ ...response, statusMessage }))
    }
    const failed = (bug: unknown): void => {
      const id = settings.createId()
      deliver(internalError(id))
      settings.onBug(bug, { id })
    }
    answer(handler, incoming, outgoing, settings.bodies, deliver, failed)
    onceGone(incoming, outgoing, () => {
      resolve({ status: 400, headers: [], body: '', statusMessage: undefined })
    })
  })
}

/** The framework does not know that a body is still arriving. */
function finishReading(
  incoming: Incoming,
  outgoing: Outgoing,
  settings: NodeHostSettings,
  done: () => void,
): void {
  if (isHttp2(incoming)) {
    if (incoming.readableDidRead && !incoming.complete) closeUnread(incoming)
    return done()
  }
  const http1 = outgoing as ServerResponse
  if (unreadBody(incoming, http1) === 'much') lingerBehind(incoming, http1, settings, done)
  else done()
}
