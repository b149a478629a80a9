import t from 'tap'
import { exchange, secured } from '../../secured.js'

const hello = '/graphql?query={echo(text:"x")}'

for (const method of ['GET', 'HEAD']) {
  void t.test(`a ${method} whose stream is reset is cancelled`, async (t) => {
    const { session, nextWaiting, bugs } = await secured(t)
    const connection = session()
    const stream = connection.request({ ':method': method, ':path': '/graphql?query={wait}' })
    stream.on('error', () => {}) // its code says it, too
    const { signal, finish } = await nextWaiting()
    stream.close(8)
    // What was sent later on the connection arrives later.
    for (let other = 0; other < 2; other += 1) {
      t.equal((await exchange(connection, { ':path': hello })).status, 200)
    }
    t.match(signal, { aborted: true, reason: { reason: 'client-gone' } })
    finish('too late')
    t.same(bugs, [])
  })
}
