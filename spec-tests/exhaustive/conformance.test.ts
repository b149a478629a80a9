import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import t from 'tap'
import { runConformance } from '../../src/conformance/run/run.js'
import { toFetch } from '../../src/hosts/fetch.js'
import { toFastifyPlugin } from '../../src/hosts/frameworks/fastify.js'
import { toKoaMiddleware } from '../../src/hosts/frameworks/koa.js'
import { toNodeListener, type NodeListener } from '../../src/hosts/node/index.js'
import { createHandler, type Options } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'
import { certificate, listen } from '../hosts/start-node.js'

const hosts: { readonly [name: string]: (options: Options) => Promise<Server> } = {
  'node:https': async (options) => createHttpsServer(certificate, listenerOf(options)),
  Express: async (options) => {
    const app = express()
    app.use('/graphql', listenerOf(options) as never)
    return createHttpServer(app)
  },
  Koa: async (options) => {
    const app = new Koa()
    app.silent = true
    app.use(toKoaMiddleware(createHandler(options)))
    return createHttpServer(app.callback())
  },
  Hono: async (options) => {
    const app = new Hono()
    const respond = toFetch(createHandler(options))
    app.all('/graphql', (context) => respond(context.req.raw))
    return createHttpServer(getRequestListener((request) => app.fetch(request)))
  },
  Fastify: async (options) => {
    const app = fastify()
    app.register(toFastifyPlugin(createHandler(options)))
    await app.ready()
    return app.server
  },
}

function listenerOf(options: Options): NodeListener {
  return toNodeListener(createHandler(options))
}

/** What the HTTP layer of a host does before the handler has a say: the fetch interface shows no version. */
const knownFailures: { readonly [host: string]: ReadonlyMap<string, string> } = {
  // oxfmt-ignore
  Hono: new Map([
    ['raw.line.major-version',     "Node's parser takes HTTP/2.0, and a Request has no version"],
    ['raw.line.no-version',        "Node's parser takes it for HTTP/0.9, and a Request has no version"],
    ['raw.smuggle.http10-chunked', 'the adapter keeps the connection, and a Request has no version'],
  ]),
}

/** The cases that look at what a host does: fast tests run all of them on node:http. */
const suites = ['http', 'raw']

for (const [host, start] of Object.entries(hosts)) {
  void t.test(`${host}: the cases of HTTP`, { timeout: 120_000 }, async (t) => {
    const server = await start({ schema: createStandardSchema() })
    // Node drops what is above its own limit without a word; the handler counts.
    server.maxHeadersCount = 0
    const port = await listen(server)
    t.teardown(() => {
      server.close()
      server.closeAllConnections()
    })
    const url = `${host === 'node:https' ? 'https' : 'http'}://127.0.0.1:${port}/graphql`
    const known = { knownFailures: knownFailures[host] ?? new Map<string, string>() }
    const { cases, totals } = await runConformance({
      url,
      suites,
      standard: true,
      insecure: true,
      ...known,
    })
    const found = cases.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    const lines = found.map(({ verdict, id, message }) => `${verdict} ${id}: ${message}`)
    t.strictSame(lines, [])
    t.ok(totals.pass > 100, `${totals.pass} cases pass`)
  })
}
