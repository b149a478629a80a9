import { createSecureServer, createServer } from 'node:http2'
import type { Server as NetServer } from 'node:net'
import t from 'tap'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { http1Client } from './http1-client.js'
import { http2Client } from './http2-client.js'
import type { Host } from './exchange.js'
import { hostSuite } from './shared-suite.js'
import { certificate, close, http1Lacks, listen } from './start-node.js'

async function startHttp2(server: NetServer, scheme: string, ca?: string): Promise<Host> {
  const port = await listen(server)
  const client = http2Client(`${scheme}://127.0.0.1:${port}/graphql`, ca)
  return {
    send: client.send,
    lacks: ['reason-phrase'],
    close: async () => {
      await client.close()
      await close(server)
    },
  }
}

void t.test('node:http2 with TLS', (t) =>
  hostSuite(t, (handler) =>
    startHttp2(
      createSecureServer({ ...certificate, allowHTTP1: true }, toNodeListener(handler)),
      'https',
      certificate.cert,
    ),
  ),
)

void t.test('node:http2 with TLS, to a client of HTTP/1.1', (t) =>
  hostSuite(t, async (handler) => {
    const options = { ...certificate, allowHTTP1: true }
    const server = createSecureServer(options, toNodeListener(handler))
    const port = await listen(server)
    return {
      send: http1Client(`https://127.0.0.1:${port}/graphql`, certificate.cert),
      lacks: http1Lacks,
      close: () => close(server),
    }
  }),
)

void t.test('node:http2 without TLS', (t) =>
  hostSuite(t, (handler) => startHttp2(createServer(toNodeListener(handler)), 'http')),
)
