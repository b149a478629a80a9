import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Handler } from '../../http/message.js'
import { objectOf, type Shape } from '../../shapes/shape.js'
import { checkHost } from '../host-options.js'
import { mergeHeaders } from '../merge-headers.js'
import { resolveNodeHostOptions } from '../node/exchange/node-host-options.js'
import { createResponder } from '../node/exchange/node-responder.js'
import { defaultPath, routeShapes, type RouteOptions } from './route-options.js'

export type KoaOptions = RouteOptions

const koaShape: Shape = objectOf<KoaOptions>("{ path: '/graphql' }", routeShapes)

/** What is used of Koa's context. */
export interface KoaContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Body parsers set `body`. */
  readonly request: object
  readonly path: string
  readonly originalUrl: string
  status: number
  message: string
  body: unknown
  set(name: string, value: string | string[]): unknown
  remove(name: string): unknown
}

/** A middleware for `app.use`. */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>

/**
 * Turns the handler into a middleware of Koa: `app.use(toKoaMiddleware(handler))`. Middleware before it sees and
 * changes the response, and keeps its headers; hooks get Koa's context as `head.raw`. Imports nothing of Koa.
 */
export function toKoaMiddleware<Raw extends KoaContext>(
  handler: Handler<Raw>,
  options: KoaOptions = {},
): KoaMiddleware {
  checkHost('toKoaMiddleware', handler, options, koaShape)
  const { path = defaultPath } = options
  const respond = createResponder(handler, resolveNodeHostOptions(options))
  return async (context, next) => {
    if (context.path !== path) {
      await next()
      return
    }
    const { req, res, originalUrl } = context
    const { body: parsed } = context.request as { readonly body?: unknown }
    // Koa's own types do not say what middleware adds to the context.
    const response = await respond(context as Raw, req, res, { body: parsed, originalUrl })
    context.status = response.status
    if (response.statusMessage !== undefined) context.message = response.statusMessage
    for (const [name, value] of mergeHeaders(response.headers, res.getHeaders())) {
      if (value === undefined) context.remove(name)
      else context.set(name, value)
    }
    const hasType = res.hasHeader('Content-Type')
    context.body = response.body
    // Koa adds a type to a text, even an empty one; for null it would send 204.
    if (response.body === '' && !hasType) context.remove('Content-Type')
  }
}
