import type { Handler, HttpResponse } from '../../http/message.js'
import { answer } from './answer.js'
import { isHttp2, type Incoming, type Outgoing } from './exchange.js'
import { resolveNodeHostOptions, type NodeHostOptions } from './node-host-options.js'
import { sendFailure } from './send-failure.js'
import { send } from './send.js'

/** What `createServer` of each of Node's servers takes, and Connect-style routers too. */
export type NodeListener<Raw extends Incoming = Incoming> = (
  incoming: Raw,
  outgoing: Outgoing,
) => void

/**
 * Makes a request listener of the handler, for node:http, https and http2, and for Express and other
 * routers in that style.
 */
export function toNodeListener<Raw extends Incoming>(
  handler: Handler<Raw>,
  options: NodeHostOptions = {},
): NodeListener<Raw> {
  const settings = resolveNodeHostOptions(options)
  const closing = new WeakSet<object>()
  // No listener for errors: Node emits none on a request or response that nobody listens to, but for
  // writing after the end, which `send` does not.
  return (incoming, outgoing) => {
    // What a client has sent behind a request whose answer closes is not to be served (RFC 9112 section 9.6).
    if (!isHttp2(incoming) && closing.has(incoming.socket)) return
    const deliver = (response: HttpResponse): void => {
      try {
        const closes = send(response, incoming, outgoing, settings)
        if (closes) closing.add(incoming.socket)
      } catch (bug) {
        failed(bug)
      }
    }
    const failed = (bug: unknown): void => sendFailure(bug, incoming, outgoing, settings)
    answer(handler, incoming, outgoing, settings.bodies, deliver, failed)
  }
}
