import {
  wantsBody,
  type Answer,
  type Handler,
  type HttpResponse,
  type WantsBody,
} from '../../http/message.js'
import { isPromise } from '../../promise.js'
import type { Incoming, Outgoing } from './exchange.js'
import { readBody } from './read-body.js'
import { send } from './send.js'
import { toHead } from './to-head.js'

/** What `createServer` of each of Node's servers takes, and Connect-style routers too. */
export type NodeListener<Raw extends Incoming = Incoming> = (
  incoming: Raw,
  outgoing: Outgoing,
) => void

/**
 * Makes a request listener of the handler, for node:http, https and http2, and for Express and other
 * routers in that style. `onBug` gets faults of the host itself; those of user functions go to the
 * handler's own `onBug`.
 */
export function toNodeListener<Raw extends Incoming>(
  handler: Handler<Raw>,
  onBug: (bug: unknown) => void = console.error,
): NodeListener<Raw> {
  return (incoming, outgoing) => {
    const failed = (bug: unknown): void => {
      onBug(bug)
      // A cut connection is honest; a tidy end would look complete.
      if (outgoing.headersSent) outgoing.destroy()
      else send({ status: 500, headers: [], body: '' }, incoming, outgoing)
    }
    const deliver = (response: HttpResponse): void => {
      try {
        send(response, incoming, outgoing)
      } catch (bug) {
        failed(bug)
      }
    }
    outgoing.on('error', ignore)
    incoming.on('error', ignore)
    try {
      answer(handler, incoming, outgoing, deliver, failed)
    } catch (bug) {
      failed(bug)
    }
  }
}

/**
 * The answer to a request of Node's servers without writing it, for frameworks that send responses
 * of their own, such as Fastify: their hooks, cookies and headers then stay in force.
 */
export function answerNodeRequest<Raw extends Incoming>(
  handler: Handler<Raw>,
  incoming: Raw,
  outgoing: Outgoing,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => answer(handler, incoming, outgoing, resolve, reject))
}

/** No promise is made here where the handler makes none: it is 2 to 15 percent of a small request. */
function answer<Raw extends Incoming>(
  handler: Handler<Raw>,
  incoming: Raw,
  outgoing: Outgoing,
  deliver: (response: HttpResponse) => void,
  failed: (bug: unknown) => void,
): void {
  const settle = (response: Answer): void => {
    if (isPromise(response)) response.then(deliver).catch(failed)
    else deliver(response)
  }
  const go = (reply: HttpResponse | WantsBody): void => {
    if (!wantsBody(reply)) return deliver(reply)
    readBody(incoming, reply.maxBytes, (body) => {
      try {
        settle(reply.proceed(body))
      } catch (bug) {
        failed(bug)
      }
    })
  }
  const reply = handler(toHead(incoming, outgoing))
  if (isPromise(reply)) reply.then(go).catch(failed)
  else go(reply)
}

/** A connection that breaks is no fault of ours: `close` tells those who wait, and nothing is left to do. */
function ignore(): void {}
