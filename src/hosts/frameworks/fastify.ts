import { fieldValue, type Handler } from '../../http/message.js'
import { objectOf, type Shape } from '../../shapes/shape.js'
import { aBoolean } from '../../shapes/shapes.js'
import { checkHost } from '../host-options.js'
import {
  mergeHeaders,
  withoutSharing,
  type CurrentHeaders,
  type HeaderField,
} from '../merge-headers.js'
import { connectionOf, isHttp2, type Incoming, type Outgoing } from '../node/exchange/incoming.js'
import { resolveNodeHostOptions } from '../node/exchange/node-host-options.js'
import { createResponder } from '../node/exchange/node-responder.js'
import { flowsOf } from '../node/streams/open-flows.js'
import { defaultPath, routeShapes, type RouteOptions } from './route-options.js'

export interface FastifyOptions extends RouteOptions {
  /**
   * Whether Fastify's own body parsers read the bodies. Their limit and their errors then apply, and some checks
   * of the body are skipped. Default: false.
   */
  readonly parsers?: boolean | undefined
}

const fastifyShape: Shape = objectOf<FastifyOptions>("{ path: '/graphql' }", {
  ...routeShapes,
  parsers: aBoolean,
})

/** What is used of a Fastify instance. */
export interface FastifyScope {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: '*',
    parse: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown
  all(path: string, route: FastifyRoute): unknown
  addHook(name: 'preClose', hook: () => Promise<void>): unknown
  addHook(name: 'onSend', hook: FastifySendHook): unknown
}

/** What answers a request of a route. */
export type FastifyRoute = (
  request: FastifyRequestLike,
  reply: FastifyReplyLike,
) => Promise<unknown>

/** What is called before a reply is sent. */
export type FastifySendHook = (
  request: unknown,
  reply: FastifyReplyLike,
  payload: unknown,
  done: () => void,
) => void

/** What is used of Fastify's request. */
export interface FastifyRequestLike {
  readonly raw: Incoming
  readonly body?: unknown
}

/** What is used of Fastify's reply. */
export interface FastifyReplyLike {
  readonly raw: Outgoing
  hasHeader(name: string): boolean
  getHeaders(): CurrentHeaders
  removeHeader(name: string): unknown
  header(name: string, value: string | string[]): unknown
  code(status: number): unknown
  send(body: unknown): unknown
}

/** A plugin for `app.register`. */
export type FastifyPlugin = (scope: FastifyScope) => Promise<void>

/**
 * Turns the handler into a plugin of Fastify: `app.register(toFastifyPlugin(handler))`. Hooks and
 * what other plugins set on the reply apply as for any other route; hooks of the handler get Fastify's request as
 * `head.raw`. Imports nothing of Fastify.
 */
export function toFastifyPlugin<Raw extends FastifyRequestLike>(
  handler: Handler<Raw>,
  options: FastifyOptions = {},
): FastifyPlugin {
  checkHost('toFastifyPlugin', handler, options, fastifyShape)
  const { path = defaultPath, parsers = false } = options
  const respond = createResponder(handler, resolveNodeHostOptions(options))
  /** The connections of streams, each by the body that Fastify sends. */
  const streaming = new Map<object, object>()
  /** Those that had no cookie when our Cache-Control was set. */
  const cookieless = new WeakSet<FastifyReplyLike>()
  let isClosing = false
  const route: FastifyRoute = async (request, reply) => {
    const { raw, body: parsed } = request
    // Our types of what Fastify calls do not have its request.
    const response = await respond(request as Raw, raw, reply.raw, { body: parsed })
    const { status, statusMessage, headers, body } = response
    if (statusMessage !== undefined) Object.assign(reply.raw, { statusMessage })
    setFields(reply, mergeHeaders(headers, reply.getHeaders()))
    const isCached = fieldValue(headers, 'cache-control') !== undefined
    if (isCached && !reply.hasHeader('set-cookie')) cookieless.add(reply)
    // Fastify would wait until the client closes the connection, or for its `keepAliveTimeout`.
    if (isClosing && !isHttp2(raw)) reply.header('Connection', 'close')
    reply.code(status)
    if (typeof body === 'object' && 'pipe' in body) {
      streaming.set(body, connectionOf(raw))
      body.once('close', () => streaming.delete(body))
    }
    // Fastify adds a type to a text, even an empty one; caches would apply that of a 304 to what they have stored.
    return reply.send(body === '' ? undefined : body)
  }
  return async (scope) => {
    if (!parsers) {
      // Only in this scope: other routes keep their parsers.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    }
    scope.all(path, route)
    // Plugins such as @fastify/cookie add their cookies in a hook like this, which runs before that of this scope.
    scope.addHook('onSend', (_request, reply, _payload, done) => {
      if (cookieless.has(reply) && reply.hasHeader('set-cookie')) {
        setFields(reply, withoutSharing(reply.getHeaders()))
      }
      done()
    })
    // Fastify would wait for the streams; so they end first, in the way that makes their clients connect again.
    scope.addHook('preClose', async () => {
      isClosing = true
      for (const connection of streaming.values()) {
        for (const flow of flowsOf(connection)) flow.shutDown()
      }
    })
  }
}

function setFields(reply: FastifyReplyLike, fields: readonly HeaderField[]): void {
  for (const [name, value] of fields) {
    reply.removeHeader(name)
    if (value !== undefined) reply.header(name, value)
  }
}
