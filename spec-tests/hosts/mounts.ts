import { Readable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { stream } from 'hono/streaming'
import type { StatusCode } from 'hono/utils/http-status'
import Koa from 'koa'
import { setHeaders, toFetch } from '../../src/hosts/fetch.js'
import { toFastifyPlugin } from '../../src/hosts/frameworks/fastify.js'
import { toKoaMiddleware } from '../../src/hosts/frameworks/koa.js'
import { toNodeListener, type Incoming, type Outgoing } from '../../src/hosts/node/index.js'
import type { Handler } from '../../src/index.js'

export type Listener = (incoming: Incoming, outgoing: Outgoing) => unknown

/** What middleware in front of every route sets, beside `Vary: Origin`. */
export interface Before {
  readonly setsCookie: boolean
  readonly fields: { readonly [name: string]: string }
}

export const cookie = 'session=abc; Path=/'

export const routes = {
  redirect: { path: '/away', to: '/elsewhere' },
  stream: { path: '/stream', pieces: ['one ', 'two ', 'three'] },
} as const

export type Mount = (handler: Handler, before?: Before) => Listener | Promise<Listener>

/** The handler at /graphql of each framework, as docs/hosts.md shows it. */
export const mounts: {
  readonly [name in 'Express' | 'Koa' | 'Fastify' | 'Hono on its Node server']: Mount
} = {
  Express(handler, before) {
    const app = express()
    app.use((_request, response, next) => {
      if (before?.setsCookie) response.cookie('session', 'abc')
      if (before) response.vary('Origin').set(before.fields)
      next()
    })
    app.all('/graphql', toNodeListener(handler))
    app.get(routes.redirect.path, (_request, response) => response.redirect(routes.redirect.to))
    app.get(routes.stream.path, (_request, response) => {
      Readable.from(routes.stream.pieces).pipe(response)
    })
    return app as unknown as Listener
  },
  Koa(handler, before) {
    const app = new Koa()
    app.silent = true
    app.use((context, next) => {
      if (before?.setsCookie) context.append('Set-Cookie', cookie)
      if (before) context.vary('Origin')
      if (before) context.set(before.fields)
      return next()
    })
    app.use(toKoaMiddleware(handler))
    app.use((context) => {
      if (context.path === routes.redirect.path) context.redirect(routes.redirect.to)
      else if (context.path === routes.stream.path)
        context.body = Readable.from(routes.stream.pieces)
    })
    const callback = app.callback()
    return (incoming, outgoing) => void callback(incoming, outgoing)
  },
  async Fastify(handler, before) {
    const app = fastify()
    app.addHook('onRequest', async (_request, reply) => {
      if (before?.setsCookie) reply.header('set-cookie', cookie)
      if (before) reply.headers({ vary: 'Origin', ...before.fields })
    })
    app.register(toFastifyPlugin(handler))
    app.get(routes.redirect.path, (_request, reply) => reply.redirect(routes.redirect.to))
    app.get(routes.stream.path, (_request, reply) =>
      reply.send(Readable.from(routes.stream.pieces)),
    )
    await app.ready()
    return (incoming, outgoing) => app.routing(incoming as never, outgoing as never)
  },
  'Hono on its Node server'(handler, before) {
    const { fetch } = inHono(handler, before)
    return getRequestListener((request) => fetch(request))
  },
}

export function inHono(handler: Handler, before?: Before): Hono {
  const app = new Hono()
  const respond = toFetch(handler)
  app.use(async (context, next) => {
    if (before?.setsCookie) setCookie(context, 'session', 'abc')
    if (before) context.res.headers.append('Vary', 'Origin')
    for (const [name, value] of Object.entries(before?.fields ?? {})) context.header(name, value)
    await next()
  })
  app.get(routes.redirect.path, (context) => context.redirect(routes.redirect.to))
  app.get(routes.stream.path, (context) =>
    stream(context, async (out) => {
      for (const piece of routes.stream.pieces) await out.write(piece)
    }),
  )
  return app.all('/graphql', async (context) => {
    const response = await respond(context.req.raw)
    setHeaders(response.headers, context.res.headers)
    return context.newResponse(response.body, response.status as StatusCode)
  })
}
