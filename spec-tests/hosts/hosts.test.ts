import { createServer } from 'node:http'
import { createSecureServer, createServer as createHttp2Server } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
import t from 'tap'
import { toFetch } from '../../src/hosts/fetch.js'
import { listen as listenSecurely, toNodeListener } from '../../src/hosts/node/index.js'
import type { Host } from './exchange.js'
import { fetchClient } from './fetch-client.js'
import { http1Client } from './http1-client.js'
import { hostSuite, type StartHost } from './shared-suite.js'
import { certificate, close, http1Lacks, http2Host, listen, startHttp1 } from './start-node.js'

const both = { ...certificate, allowHTTP1: true }

function http1Host(origin: string, end: () => Promise<unknown>): Host {
  const send = http1Client(`${origin}/graphql`, certificate.cert)
  return { send, lacks: http1Lacks, close: async () => void (await end()) }
}

async function start(toHost: typeof http1Host, server: Server, scheme = 'https'): Promise<Host> {
  return toHost(`${scheme}://127.0.0.1:${await listen(server)}`, () => close(server))
}

const listening =
  (toHost: typeof http1Host, tls = {}): StartHost =>
  async (handler) => {
    const at = { host: '127.0.0.1', port: 0, tls: { ...certificate, ...tls } }
    const { origin, close: end } = await listenSecurely(toNodeListener(handler), at)
    return toHost(origin, () => end({ grace: 0 }))
  }

const hosts: { readonly [name: string]: StartHost } = {
  'fetch, in process': (handler) => ({
    send: fetchClient('http://localhost/graphql', toFetch(handler)),
    lacks: ['raw-target'],
    close: async () => {},
  }),
  'node:http': (handler) => startHttp1(createServer(toNodeListener(handler))),
  'node:https': (handler) =>
    start(http1Host, createHttpsServer(certificate, toNodeListener(handler))),
  'node:http2 with TLS': (handler) =>
    start(http2Host, createSecureServer(both, toNodeListener(handler))),
  'node:http2 with TLS, to a client of HTTP/1.1': (handler) =>
    start(http1Host, createSecureServer(both, toNodeListener(handler))),
  'node:http2 without TLS': (handler) =>
    start(http2Host, createHttp2Server(toNodeListener(handler)), 'http'),
  'listen with tls, to a client of HTTP/2': listening(http2Host),
  'listen with tls, to a client of HTTP/1.1': listening(http1Host),
  'listen without HTTP/2, to a client of HTTP/1.1': listening(http1Host, { http2: false }),
}

for (const [name, startHost] of Object.entries(hosts)) {
  void t.test(name, (t) => hostSuite(t, startHost))
}
