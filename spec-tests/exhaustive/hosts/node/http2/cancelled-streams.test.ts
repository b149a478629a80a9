import t from 'tap'
import { exchange, secured } from '../../secured.js'

const hello = '/graphql?query={echo(text:"x")}'

// An error that nobody handles ends the process, and so fails whichever of these tests is running.
for (const method of ['GET', 'HEAD']) {
  for (const [name, headers] of [
    ['', {}],
    [' that expects 100 Continue', { expect: '100-continue' }],
  ] as const) {
    void t.test(`a ${method}${name} whose stream is reset is cancelled`, async (t) => {
      const { session, nextWaiting, bugs } = await secured(t)
      const connection = session()
      const head = { ':method': method, ':path': '/graphql?query={wait}', ...headers }
      const stream = connection.request(head, { endStream: name === '' })
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
}
