import { once } from 'node:events'
import { createServer, type Http2ServerResponse } from 'node:http2'
import { createServer as createHttp1Server } from 'node:http'
import type { Server } from 'node:net'
import t, { type Test } from 'tap'
import { HttpStream, sendOverHttp2 } from '../../../src/conformance/wire/streaming/open-stream.js'
import { toTarget } from '../../../src/conformance/wire/target.js'
import type { WireRequest } from '../../../src/conformance/wire/to-wire-request.js'
import { listenFor } from '../../hosts/start-node.js'

const body = Buffer.from('{}')
const headers = ['Connection', 'Keep-Alive', 'TE'].map((name) => [name, 'close'] as const)
const request: WireRequest = { method: 'POST', target: '/graphql?a=b', headers, body }

/** Sends the request, and waits for the head of the response. */
async function send(t: Test, server: Server): Promise<HttpStream> {
  const target = toTarget(`http://127.0.0.1:${await listenFor(t, server)}/graphql`)
  const stream = new HttpStream('', (sink) => sendOverHttp2(target, request, sink))
  await stream.log.changes.until(10_000, () => stream.response !== undefined)
  return stream
}

void t.test('cancelling resets the stream, and the connection stays open', async (t) => {
  const responses: Http2ServerResponse[] = []
  const server = createServer((_, response) => {
    responses.push(response)
    response.writeHead(200)
    response.write('a')
  })
  const stream = await send(t, server)
  const [response] = responses
  if (response === undefined) throw new Error('No request came.')
  const { session } = response.stream
  const closed = once(response, 'close')
  stream.cancel()
  await closed
  t.equal(session?.destroyed, false)
  stream.destroy()
})

void t.test('a server of HTTP/1.1 alone is a failure', async (t) => {
  const server = createHttp1Server((_, response) => void response.end())
  const stream = await send(t, server)
  t.match(stream.failure, 'ERR_HTTP2_ERROR')
  stream.destroy()
})
