import t from 'tap'
import { listen, toNodeListener } from '../../src/hosts/node/index.js'
import type { Host } from './exchange.js'
import { http1Client } from './http1-client.js'
import { http2Client } from './http2-client.js'
import { hostSuite } from './shared-suite.js'
import { certificate, http1Lacks } from './start-node.js'

const at = { host: '127.0.0.1', port: 0, tls: certificate }
const atOnce = { grace: 0 }

void t.test('listen with tls, to a client of HTTP/2', (t) =>
  hostSuite(t, async (handler): Promise<Host> => {
    const { origin, close } = await listen(toNodeListener(handler), at)
    const client = http2Client(`${origin}/graphql`, certificate.cert)
    return {
      send: client.send,
      lacks: ['reason-phrase'],
      close: async () => {
        await client.close()
        await close(atOnce)
      },
    }
  }),
)

for (const [name, tls] of [
  ['with tls', certificate],
  ['without HTTP/2', { ...certificate, http2: false }],
] as const) {
  void t.test(`listen ${name}, to a client of HTTP/1.1`, (t) =>
    hostSuite(t, async (handler): Promise<Host> => {
      const { origin, close } = await listen(toNodeListener(handler), { ...at, tls })
      return {
        send: http1Client(`${origin}/graphql`, certificate.cert),
        lacks: http1Lacks,
        close: async () => void (await close(atOnce)),
      }
    }),
  )
}
