import type { Handler, HttpResponse } from '../../../http/message.js'
import { callHandler } from '../exchange/call-handler.js'
import { isBehindLast } from '../exchange/closing.js'
import type { Incoming, Outgoing } from '../exchange/incoming.js'
import { checkOptions } from '../../../shapes/shape.js'
import { checkFunction } from '../../../shapes/shapes.js'
import { aHandler } from '../../host-options.js'
import {
  nodeHostShape,
  resolveNodeHostOptions,
  type NodeHostOptions,
  type NodeHostSettings,
} from '../exchange/node-host-options.js'
import { send, sendFailure } from '../exchange/send.js'

/** A listener for `createServer` of node:http, https and http2, and for Connect-style routers. */
export type NodeListener<Raw extends Incoming = Incoming> = (
  incoming: Raw,
  outgoing: Outgoing,
) => void

/**
 * Turns a handler into a request listener, for node:http, https and http2, and for Express and similar
 * routers.
 */
export function toNodeListener<Raw extends Incoming>(
  handler: Handler<Raw>,
  options: NodeHostOptions = {},
): NodeListener<Raw> {
  checkFunction('toNodeListener', aHandler, handler)
  checkOptions('toNodeListener', options, nodeHostShape)
  return createListener(handler, resolveNodeHostOptions(options))
}

/** The same for resolved options. */
export function createListener<Raw extends Incoming>(
  handler: Handler<Raw>,
  settings: NodeHostSettings,
): NodeListener<Raw> {
  // No `error` listeners: without one, Node emits no errors on a request or response except for writing
  // after the end, which `send` never does.
  return (incoming, outgoing) => {
    // Requests after one whose response closes the connection must not be served (RFC 9112 section 9.6).
    if (isBehindLast(incoming)) return
    const deliver = (response: HttpResponse): void => {
      try {
        send(response, incoming, outgoing, settings)
      } catch (bug) {
        failed(bug)
      }
    }
    const failed = (bug: unknown): void => sendFailure(bug, incoming, outgoing, settings)
    callHandler(handler, incoming, outgoing, settings.bodies, deliver, failed)
  }
}
