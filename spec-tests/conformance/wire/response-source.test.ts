import { once } from 'node:events'
import { createServer, type Http2ServerResponse } from 'node:http2'
import { createServer as createHttp1Server } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import t, { type Test } from 'tap'
import { sendOverHttp2 } from '../../../src/conformance/wire/streaming/response-source.js'
import { toTarget, type Target } from '../../../src/conformance/wire/target.js'
import type { WireRequest } from '../../../src/conformance/wire/to-wire-request.js'

const request: WireRequest = {
  method: 'POST',
  target: '/graphql?a=b',
  headers: [['X-Own', '1']],
  body: Buffer.from('{}'),
}

async function listen(t: Test, server: Server): Promise<Target> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  return toTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`)
}

void t.test('cancelling resets the stream, and the connection stays open', async (t) => {
  const responses: Http2ServerResponse[] = []
  const server = createServer((_, response) => {
    responses.push(response)
    response.writeHead(200)
    response.write('a')
  })
  const source = sendOverHttp2(await listen(t, server), request, false)
  await source.response
  const [response] = responses
  if (response === undefined) throw new Error('No request came.')
  const { session } = response.stream
  const closed = once(response, 'close')
  await source.cancel()
  await closed
  t.equal(session?.destroyed, false)
  await source.destroy()
})

void t.test('a server of HTTP/1.1 alone is a failure', async (t) => {
  const server = createHttp1Server((_, response) => void response.end())
  const source = sendOverHttp2(await listen(t, server), request, false)
  await t.rejects(source.response)
  await source.destroy()
})
