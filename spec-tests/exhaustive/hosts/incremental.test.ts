import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import t, { type Test } from 'tap'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { toFetch } from '../../../src/hosts/fetch.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { createEndpoint, type Endpoint, type OperationRequest } from '../../../src/index.js'
import { accepts, without17 } from '../../incremental/client.js'
import { listenFor } from '../../hosts/start-node.js'
import { fetchStreams, http1Streams, http2Streams } from '../../hosts/streams/stream-client.js'
import type { StreamClient } from '../../hosts/streams/stream-client.js'
import { plain } from './hosted.js'
import { chunkOf, postBytes } from './raw-client.js'

const skip = without17
const first = '{"data":{"now":1},"pending":[{"id":"0","path":[]}],"hasNext":true}'
const last =
  '{"hasNext":false,"incremental":[{"id":"0","data":{"later":2}}],"completed":[{"id":"0"}]}'
const partHead = '\r\nContent-Type: application/json; charset=utf-8\r\n\r\n'
const query = '{ now ... @defer { later } }'
const accept = accepts['v0.2']

/** `onLater` is called by the resolver of what is deferred. */
function createTested(onLater: (request: OperationRequest) => unknown = () => 2) {
  const later = (_: unknown, __: unknown, request: OperationRequest) => onLater(request)
  const schema = buildSchema('type Query { now: Int  later: Int }', {
    Query: { now: () => 1, later },
  })
  return createEndpoint({ schema })
}

const hosts: { readonly [name: string]: (t: Test, endpoint: Endpoint) => Promise<StreamClient> } = {
  async 'HTTP/1.1'(t, { handler }) {
    const server = createServer(toNodeListener(handler))
    return http1Streams(`http://127.0.0.1:${await listenFor(t, server)}`)
  },
  async 'HTTP/2'(t, { handler }) {
    const server = createHttp2Server(toNodeListener(handler))
    return http2Streams(`http://127.0.0.1:${await listenFor(t, server)}`)
  },
  fetch: async (_, { handler }) => fetchStreams(toFetch(handler)),
}

for (const [name, start] of Object.entries(hosts)) {
  void t.test(`${name}: the parts, byte by byte`, { skip }, async (t) => {
    const response = await (await start(t, createTested()))({ query, accept })
    t.equal(response.headers['content-type'], `multipart/mixed; boundary="-"; incrementalSpec=v0.2`)
    const { body } = await response.whole()
    t.equal(body, `\r\n---${partHead}${first}\r\n---${partHead}${last}\r\n-----\r\n`)
  })
}

void t.test('HTTP/1.1: each part is in one chunk with its delimiter', { skip }, async (t) => {
  const client = await (await plain(t, toNodeListener(createTested().handler))).connect()
  client.write(postBytes(JSON.stringify({ query }), `Accept: ${accept}\r\nConnection: close\r\n`))
  const [head = '', ...rest] = (await client.ended()).split('\r\n\r\n')
  t.match(head, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(head, /\r\nTransfer-Encoding: chunked/)
  t.notMatch(head, /Content-Length/)
  const parts = [first, last].map((part) => `${partHead}${part}\r\n---`)
  t.equal(rest.join('\r\n\r\n'), ['\r\n---', ...parts, '--\r\n', ''].map(chunkOf).join(''))
})

void t.test('HTTP/1.1: the first part leaves before deferred work starts', { skip }, async (t) => {
  // Deferred work may block: what is not with the system yet would wait for it.
  const sent: number[] = []
  const { handler } = createTested(() => sent.push(socket.writableLength, socket.bytesWritten))
  const { client, socket } = await (await plain(t, toNodeListener(handler))).connectBoth()
  client.write(postBytes(JSON.stringify({ query }), `Accept: ${accept}\r\n`))
  const seen = await client.until('"hasNext":false')
  t.same(sent, [0, seen.indexOf(first) + `${first}\r\n---\r\n`.length])
})
