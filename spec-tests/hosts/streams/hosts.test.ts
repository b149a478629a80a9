import { createServer, type RequestListener } from 'node:http'
import { createSecureServer, createServer as createHttp2Server } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
import t from 'tap'
import { toFetch } from '../../../src/hosts/fetch.js'
import { createHostServer, toNodeListener } from '../../../src/hosts/node/index.js'
import { inHono, mounts } from '../mounts.js'
import { certificate, close, listen } from '../start-node.js'
import { fetchStreams, http1Streams, http2Streams } from './stream-client.js'
import { streamSuite, type StartStreamHost } from './stream-suite.js'

const on = async (
  server: Server,
  scheme = 'http',
  streams: typeof http2Streams = http1Streams,
  end: () => unknown = () => close(server),
) => ({ send: streams(`${scheme}://localhost:${await listen(server)}`), close: end })

/** Each host as docs/hosts.md shows it. */
const hosts: { readonly [name: string]: StartStreamHost } = {
  'node:http': ({ handler }) => on(createServer(toNodeListener(handler))),
  'node:https': ({ handler }) =>
    on(createHttpsServer(certificate, toNodeListener(handler)), 'https'),
  'HTTP/2': ({ handler }) => on(createHttp2Server(toNodeListener(handler)), 'http', http2Streams),
  'HTTP/2 with TLS': ({ handler }) =>
    on(createSecureServer(certificate, toNodeListener(handler)), 'https', http2Streams),
  createHostServer({ handler }) {
    const { server, close: end } = createHostServer(toNodeListener(handler))
    return on(server, 'http', http1Streams, () => end({ grace: 0 }))
  },
  'createHostServer with HTTP/2'({ handler }) {
    const { server, close: end } = createHostServer(toNodeListener(handler), { tls: certificate })
    return on(server, 'https', http2Streams, () => end({ grace: 0 }))
  },
  async 'Koa on HTTP/2'({ handler }) {
    return on(createHttp2Server((await mounts.Koa(handler)) as never), 'http', http2Streams)
  },
  'Hono in process': ({ handler }) => {
    const app = inHono(handler)
    return { send: fetchStreams(async (request) => app.fetch(request)), close() {} }
  },
  fetch: ({ handler }) => ({ send: fetchStreams(toFetch(handler)), close() {} }),
}

for (const [name, mount] of Object.entries(mounts)) {
  void t.test(name, (t) =>
    streamSuite(t, async ({ handler }) =>
      on(createServer((await mount(handler)) as RequestListener)),
    ),
  )
}
for (const [name, start] of Object.entries(hosts)) {
  void t.test(name, (t) => streamSuite(t, start))
}
