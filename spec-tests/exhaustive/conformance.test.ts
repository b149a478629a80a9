import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import fastify from 'fastify'
import t from 'tap'
import { runConformance } from '../../src/conformance/run/run.js'
import { toFastifyPlugin } from '../../src/hosts/frameworks/fastify.js'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { createHandler, type Handler } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'
import { mounts } from '../hosts/mounts.js'
import { certificate, listenFor } from '../hosts/start-node.js'
import { show } from './conformance/defects/defect.js'

const { Fastify: _, ...others } = mounts

const hosts: { readonly [name: string]: (handler: Handler) => Server | Promise<Server> } = {
  'node:https': (handler) => createHttpsServer(certificate, toNodeListener(handler)),
  ...Object.fromEntries(
    Object.entries(others).map(([name, mount]) => [
      name,
      async (handler: Handler) => createHttpServer((await mount(handler)) as RequestListener),
    ]),
  ),
  /** With the server that it makes itself. */
  Fastify: async (handler) => {
    const app = fastify()
    app.register(toFastifyPlugin(handler))
    await app.ready()
    return app.server
  },
}

/** What the HTTP layer of a host does before the handler has a say: the fetch interface shows no version. */
const knownFailures: { readonly [host: string]: ReadonlyMap<string, string> } = {
  // oxfmt-ignore
  'Hono on its Node server': new Map([
    ['raw.line.major-version',     "Node's parser takes HTTP/2.0, and a Request has no version"],
    ['raw.line.no-version',        "Node's parser takes it for HTTP/0.9, and a Request has no version"],
    ['raw.smuggle.http10-chunked', 'the adapter keeps the connection, and a Request has no version'],
  ]),
}

/** The cases that look at what a host does: fast tests run all of them on node:http. */
const suites = ['http', 'raw']

for (const [host, start] of Object.entries(hosts)) {
  void t.test(`${host}: the cases of HTTP`, { timeout: 120_000 }, async (t) => {
    const server = await start(createHandler({ schema: createStandardSchema() }))
    // Node drops what is above its own limit without a word; the handler counts.
    server.maxHeadersCount = 0
    const port = await listenFor(t, server)
    const url = `${host === 'node:https' ? 'https' : 'http'}://127.0.0.1:${port}/graphql`
    const known = { knownFailures: knownFailures[host] ?? new Map<string, string>() }
    const options = { suites, standard: true, insecure: true, ...known }
    const { cases, totals } = await runConformance({ url, ...options })
    const found = cases.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    t.strictSame(found.map(show), [])
    t.ok(totals.pass > 100, `${totals.pass} cases pass`)
  })
}
