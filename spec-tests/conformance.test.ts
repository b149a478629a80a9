import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import t from 'tap'
import { runConformance } from '../src/conformance/run/run.js'
import { toFetch } from '../src/hosts/fetch.js'
import { toFastifyPlugin } from '../src/hosts/frameworks/fastify.js'
import { toKoaMiddleware } from '../src/hosts/frameworks/koa.js'
import { toNodeListener, type NodeListener } from '../src/hosts/node/index.js'
import { createHandler, type CorsOptions, type EditionName, type Options } from '../src/index.js'
import { capabilityNames, optionsOf } from '../src/cli/serve/flags/capabilities.js'
import { editionNames } from '../src/over-http/editions.js'
import { createStandardSchema } from '../src/standard/standard-schema.js'

/** As fixtures/optional/README.md wants a target to be set up. */
const cors: CorsOptions = {
  origins: ['https://allowed.example'],
  credentials: true,
  exposedHeaders: ['Retry-After'],
}

/** How each host serves a handler. */
const hosts: { readonly [name: string]: (options: Options) => Promise<Server> } = {
  'node:http': async (options) => createHttpServer(listenerOf(options)),
  'node:http with CORS': async (options) => createHttpServer(listenerOf({ ...options, cors })),
  'node:http with capabilities': async (options) =>
    createHttpServer(
      listenerOf({
        ...options,
        ...((await optionsOf(ofHandlers)) as Partial<Options>),
        path: '/graphql',
      }),
    ),
  'node:https': async (options) => createHttpsServer(certificate(), listenerOf(options)),
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

/** The others are options of a server. */
const ofHandlers = capabilityNames.filter((name) => name !== 'request-timeout')

function listenerOf(options: Options): NodeListener {
  return toNodeListener(createHandler(options))
}

function certificate(): { key: Buffer; cert: Buffer } {
  const read = (name: string) =>
    readFileSync(new URL(`../../spec-tests/hosts/${name}`, import.meta.url))
  return { key: read('localhost-key.pem'), cert: read('localhost-cert.pem') }
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

/** Serves the standard schema on a host, runs the whole suite, and gives what was found. */
async function conform(host: string, edition: EditionName) {
  const start = hosts[host]
  if (start === undefined) throw new Error(host)
  // On one of the hosts lists are refused.
  const batch = host === 'node:http' ? undefined : {}
  const server = await start({ schema: createStandardSchema(), edition, batch })
  // Node drops what is above its own limit without a word; the handler counts.
  server.maxHeadersCount = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `${host === 'node:https' ? 'https' : 'http'}://127.0.0.1:${port}/graphql`
  try {
    const known = knownFailures[host] ?? new Map<string, string>()
    const options = { standard: true, insecure: true, knownFailures: known }
    return await runConformance({ url, edition, ...options })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

t.setTimeout(300_000)
t.jobs = 4

for (const host of Object.keys(hosts)) {
  for (const edition of editionNames) {
    void t.test(
      `${host} conforms to edition ${edition}`,
      { buffered: true, timeout: 120_000 },
      async (t) => {
        const { cases, totals } = await conform(host, edition)
        const found = cases.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
        t.strictSame(
          found.map(({ verdict, id, message }) => `${verdict} ${id}: ${message}`),
          [],
        )
        t.ok(totals.pass > 300, `${totals.pass} cases pass`)
        if (host === 'node:http with capabilities') {
          const stored = cases.filter(({ suite }) =>
            ['persisted', 'apq', 'multipart-upload'].includes(suite),
          )
          t.strictSame(
            stored
              .filter(({ verdict }) => verdict !== 'pass')
              .map(({ id }) => id)
              .toSorted(),
            ['apq.unsupported', 'apq.unsupported.code', 'apq.unsupported.query'],
          )
        }
        const skipped = cases.filter(
          ({ suite, verdict }) => suite === 'batching' && verdict === 'skip',
        )
        t.equal(skipped.length > 2, host === 'node:http', 'the cases of batches are run')
        if (host !== 'node:http with CORS') return
        const sharing = cases.filter(({ suite }) => suite === 'cors-csrf')
        t.ok(sharing.length > 25, `${sharing.length} cases look at origins`)
        t.strictSame(
          sharing.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id),
          [],
        )
      },
    )
  }
}
