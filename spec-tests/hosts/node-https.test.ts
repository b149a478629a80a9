import { createServer } from 'node:https'
import t from 'tap'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { http1Client } from './http1-client.js'
import { hostSuite } from './shared-suite.js'
import { certificate, close, http1Lacks, listen } from './start-node.js'

void t.test('node:https', (t) =>
  hostSuite(t, async (handler) => {
    const server = createServer(certificate, toNodeListener(handler))
    const port = await listen(server)
    return {
      send: http1Client(`https://127.0.0.1:${port}/graphql`, certificate.cert),
      lacks: http1Lacks,
      close: () => close(server),
    }
  }),
)
