import type { ServerResponse } from 'node:http'
import type { Handler, HttpResponse } from '../../http/message.js'
import { internalError } from '../host-error.js'
import { answer } from './answer.js'
import { isHttp2, onceGone, type Incoming, type Outgoing } from './exchange.js'
import { closeUnread, lingerBehind, unreadBody } from './linger.js'
import {
  resolveNodeHostOptions,
  type NodeHostOptions,
  type NodeHostSettings,
} from './node-host-options.js'
import { reasonPhrase } from './reason-phrase.js'

/** Options of one request. */
export interface NodeRequestOptions extends NodeHostOptions {
  /** The body where the framework has parsed it already and keeps it elsewhere than on the request. */
  readonly body?: unknown
}

/** An answer for a framework to send. `mergeHeaders` puts its headers beside those that are set. */
export interface NodeAnswer extends HttpResponse {
  /** The reason phrase where Node has none of its own and the protocol has one; else undefined. */
  readonly statusMessage: string | undefined
}

/**
 * The answer to a request of Node's servers without writing it, for frameworks that send responses
 * of their own, such as Fastify and Koa: their hooks, cookies and headers then stay in force. It never
 * rejects. When the client leaves first, it gives an answer that nobody will read.
 */
export function answerNodeRequest<Raw extends Incoming>(
  handler: Handler<Raw>,
  incoming: Raw,
  outgoing: Outgoing,
  options: NodeRequestOptions = {},
): Promise<NodeAnswer> {
  const settings = resolveNodeHostOptions(options)
  if (options.body !== undefined) (incoming as { body?: unknown }).body = options.body

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
