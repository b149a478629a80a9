import { createServer } from 'node:http'
import t from 'tap'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { hostSuite } from './shared-suite.js'
import { startHttp1 } from './start-node.js'

void t.test('node:http', (t) =>
  hostSuite(t, (handler) => startHttp1(createServer(toNodeListener(handler)))),
)
