import t from 'tap'
import { toFetch } from '../../src/hosts/fetch.js'
import { fetchClient } from './fetch-client.js'
import { hostSuite } from './shared-suite.js'

void t.test('fetch, in process', (t) =>
  hostSuite(t, (handler) => ({
    send: fetchClient('http://localhost/graphql', toFetch(handler)),
    lacks: ['raw-target'],
    close: async () => {},
  })),
)
