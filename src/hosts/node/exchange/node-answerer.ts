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

/** What a framework knows of a request and does not keep on that of Node. */
export interface FrameworkRequest {
  /** The body, where the framework has parsed it already. */
  readonly body?: unknown
  /** The target as the client sent it, where a router has cut it, as in Koa. */
  readonly originalUrl?: string | undefined
}

/** An answer for a framework to send. `mergeHeaders` puts its headers beside those that are set. */
export interface NodeAnswer extends HttpResponse {
  /** The reason phrase where Node has none of its own and the protocol has one; else undefined. */
  readonly statusMessage: string | undefined
}

/** Answers a request of Node's servers without writing the answer; it never rejects. */
export type NodeAnswerer<Raw extends Incoming = Incoming> = (
  incoming: Raw,
  outgoing: Outgoing,
  framework?: FrameworkRequest,
) => Promise<NodeAnswer>

/**
 * Makes a function of the handler that answers requests without writing the answers, for frameworks that
 * send responses of their own, such as Fastify and Koa: their hooks, cookies and headers then stay in
 * force. When the client leaves first, it gives an answer that will not be sent.
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

/** The framework knows nothing of a body that is still on its way. */
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
