import { once } from 'node:events'
import { connect as connectFrom } from 'node:net'
import t from 'tap'
import { jsonOf } from '../../../../hosts/exchange.js'
import { host, plain } from '../../hosted.js'
import { postBytes } from '../../raw-client.js'

void t.test('what comes behind a request whose answer closes is not run', async (t) => {
  const { connect, count } = await plain(t)
  const client = await connect()
  const chunked = 'Host: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked'
  client.write(`POST / HTTP/1.1\r\n${chunked}\r\n\r\n1\r\na\r\n0\r\n\r\n`)
  t.match(await client.ask(postBytes('{"query":"mutation { count }"}')), { status: 415 })
  t.equal(await client.ended(), '')
  t.equal(count(), 0)
})

void t.test('a line that names a version which is not spoken here is a 505', async (t) => {
  const { connect, bugs } = await plain(t)
  const client = await connect()
  const answer = await client.ask('POST /graphql HTTP/2.0\r\nHost: localhost\r\n\r\n')
  t.equal(answer.status, 505)
  const extensions = { code: 'HTTP_VERSION_NOT_SUPPORTED' }
  t.match(jsonOf(answer), { errors: [{ extensions }] })
  t.same(bugs, [])
})

void t.test('two lines of Content-Type are refused', async (t) => {
  const client = await (await plain(t)).connect()
  const twice = postBytes('{"query":"{ fail }"}', 'Content-Type: application/json\r\n')
  t.match(await client.ask(twice), { status: 415 })
})

// Linux takes any address of 127/8 for its loopback.
void t.test('the last connections are for clients that hold less than their share', async (t) => {
  const { port, server } = await host(t, { maxSockets: 100, clientShare: 50 })
  const open = async (localAddress: string) => {
    const socket = connectFrom({ port, host: '127.0.0.1', localAddress })
    t.teardown(() => socket.destroy())
    await once(server, 'connection')
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    const [bytes] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as unknown[]
    return Buffer.isBuffer(bytes)
  }
  for (let at = 0; at < 90; at += 1) t.ok(await open('127.0.0.1'))
  t.notOk(await open('127.0.0.1'), 'it holds more than half of all')
  t.ok(await open('127.0.0.2'))
})
