import { createServer, type RequestListener, type Server } from 'node:http'
import { createSecureServer, createServer as createHttp2Server } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { Server as NetServer } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import type { StatusCode } from 'hono/utils/http-status'
import Koa from 'koa'
import t from 'tap'
import { setHeaders, toFetch } from '../../../src/hosts/fetch.js'
import {
  createHostServer,
  mergeHeaders,
  toNodeListener,
  toNodeResponder,
} from '../../../src/hosts/node/index.js'
import { certificate, close, listen } from '../start-node.js'
import { fetchStreams, http1Streams, http2Streams } from './stream-client.js'
import { streamSuite, type StartStreamHost } from './stream-suite.js'

/** A server of HTTP/1.1 around a listener. */
async function onNode(listener: RequestListener) {
  const server = createServer(listener)
  const port = await listen(server)
  return { send: http1Streams(`http://127.0.0.1:${port}`), close: () => close(server) }
}

async function onHttp2(server: NetServer, scheme: 'http' | 'https') {
  const port = await listen(server)
  return { send: http2Streams(`${scheme}://localhost:${port}`), close: () => close(server) }
}

function inHono(endpoint: Parameters<StartStreamHost>[0]): Hono {
  const app = new Hono()
  const respond = toFetch(endpoint.handler)
  app.all('/graphql', async (context) => {
    const response = await respond(context.req.raw)
    setHeaders(response.headers, context.res.headers)
    return context.newResponse(response.body, response.status as StatusCode)
  })
  return app
}

function inKoa(endpoint: Parameters<StartStreamHost>[0]) {
  const app = new Koa()
  const respond = toNodeResponder(endpoint.handler)
  app.use(async (context) => {
    const { req, res, originalUrl } = context
    const response = await respond(req, res, { originalUrl })
    context.status = response.status
    for (const [name, value] of mergeHeaders(response.headers, res.getHeaders())) {
      if (value === undefined) context.remove(name)
      else context.set(name, value)
    }
    context.body = response.body
  })
  return app
}

/** Each host as docs/hosts.md shows it. */
const hosts: { readonly [name: string]: StartStreamHost } = {
  'node:http': ({ handler }) => onNode(toNodeListener(handler)),
  async 'node:https'({ handler }) {
    const server = createHttpsServer(certificate, toNodeListener(handler))
    const port = await listen(server)
    return { send: http1Streams(`https://localhost:${port}`), close: () => close(server) }
  },
  'HTTP/2': ({ handler }) => onHttp2(createHttp2Server(toNodeListener(handler)), 'http'),
  'HTTP/2 with TLS': ({ handler }) =>
    onHttp2(createSecureServer(certificate, toNodeListener(handler)), 'https'),
  async createHostServer({ handler }) {
    const { server, close: end } = createHostServer(toNodeListener(handler))
    const port = await listen(server)
    return { send: http1Streams(`http://127.0.0.1:${port}`), close: () => end({ grace: 0 }) }
  },
  async 'createHostServer with HTTP/2'({ handler }) {
    const { server, close: end } = createHostServer(toNodeListener(handler), { tls: certificate })
    const port = await listen(server)
    return { send: http2Streams(`https://localhost:${port}`), close: () => end({ grace: 0 }) }
  },
  Express: ({ handler }) => onNode(express().all('/graphql', toNodeListener(handler))),
  async Fastify({ handler }) {
    const app = fastify()
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const respond = toNodeResponder(handler)
    app.all('/graphql', async (request, reply) => {
      const response = await respond(request.raw, reply.raw)
      for (const [name, value] of mergeHeaders(response.headers, reply.getHeaders())) {
        reply.removeHeader(name)
        if (value !== undefined) reply.header(name, value)
      }
      return reply.code(response.status).send(response.body)
    })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    return { send: http1Streams(origin), close: () => app.close() }
  },
  Koa: (endpoint) => {
    const app = inKoa(endpoint)
    return onNode((...pair) => void app.callback()(...pair))
  },
  'Koa on HTTP/2': (endpoint) => {
    const callback = inKoa(endpoint).callback()
    return onHttp2(
      createHttp2Server((...pair) => void callback(...(pair as unknown as [never, never]))),
      'http',
    )
  },
  async 'Hono on its Node server'(endpoint) {
    const server = createAdaptorServer({ fetch: inHono(endpoint).fetch }) as Server
    const port = await listen(server)
    return { send: http1Streams(`http://127.0.0.1:${port}`), close: () => close(server) }
  },
  'Hono in process': (endpoint) => {
    const app = inHono(endpoint)
    return { send: fetchStreams(async (request) => app.fetch(request)), close() {} }
  },
  fetch: ({ handler }) => ({ send: fetchStreams(toFetch(handler)), close() {} }),
}

for (const [name, start] of Object.entries(hosts)) {
  void t.test(name, (t) => streamSuite(t, start))
}
