import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { ClientReads } from '../../../../../src/hosts/node/connection/client-reads.js'
import type { ConnectionSettings } from '../../../../../src/hosts/node/connection/connection-options.js'
import type { Http2Session } from '../../../../../src/hosts/node/connection/http2-session.js'
import { secured } from '../../secured.js'

/** Sessions of HTTP/2, by the addresses of their clients, and what is seen of them. */
function start(trustedProxies = 0) {
  const seen: string[] = []
  const sessions = new Map<object, Http2Session>()
  const add = (name: string, remoteAddress: string): Http2Session => {
    const session = {
      socket: { remoteAddress },
      hold: () => seen.push(`hold ${name}`) > 0,
      readAgain: () => void seen.push(`read ${name}`),
    } as unknown as Http2Session
    sessions.set(session, session)
    return session
  }
  const reads = new ClientReads(new Map(), sessions, { trustedProxies } as ConnectionSettings)
  return { add, reads, takeSeen: () => seen.splice(0) }
}

void t.test(
  'after 200 requests of HTTP/2, other sessions of a client wait for a turn',
  async (t) => {
    const { add, reads, takeSeen } = start()
    const session = add('first', '192.0.2.1')
    add('second', '192.0.2.1')
    add('other', '192.0.2.2')
    for (let sent = 0; sent < 199; sent += 1) reads.noteHttp2(session)
    t.strictSame(takeSeen(), [])
    for (let sent = 0; sent < 9; sent += 1) reads.noteHttp2(session)
    t.strictSame(takeSeen(), ['hold first', 'hold second'])
    await nextTurn()
    t.strictSame(takeSeen(), ['read first', 'read second'])
    reads.noteHttp2(session)
    t.strictSame(takeSeen(), [], 'it counts from the start')
  },
)

void t.test('of many, fifty are read again in a turn', async (t) => {
  const { add, reads, takeSeen } = start()
  const [session] = Array.from({ length: 60 }, (_, at) => add(`${at}`, '192.0.2.1'))
  for (let sent = 0; sent < 200; sent += 1) reads.noteHttp2(session as Http2Session)
  t.equal(takeSeen().length, 60)
  await nextTurn()
  t.equal(takeSeen().length, 50)
  await nextTurn()
  t.equal(takeSeen().length, 10)
})

void t.test('the sessions of a proxy are not those of one client', async (t) => {
  const { add, reads, takeSeen } = start(1)
  const session = add('one', '192.0.2.1')
  for (let sent = 0; sent < 300; sent += 1) reads.noteHttp2(session)
  t.strictSame(takeSeen(), [])
})

void t.test('sessions that were held are answered', async (t) => {
  const { session } = await secured(t)
  const ask = (from: ReturnType<typeof session>): Promise<number> =>
    new Promise((resolve, reject) => {
      const stream = from.request({ ':path': '/graphql?query=%7B__typename%7D' })
      stream.on('response', ({ ':status': status }) => resolve(Number(status)))
      stream.on('error', reject)
      stream.resume()
    })
  const sessions = Array.from({ length: 8 }, session)
  await Promise.all(sessions.map(ask))
  const crowd = sessions.flatMap((one) => Array.from({ length: 90 }, async () => ask(one)))
  t.strictSame(new Set(await Promise.all(crowd)), new Set([200]))
})
