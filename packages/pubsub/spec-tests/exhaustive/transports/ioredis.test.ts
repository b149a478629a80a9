import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { ioredisTransport } from '@graphwire/pubsub'
import { testOwnership, testTransport } from './shared-suite.js'

const service = { port: 6379, connectsLater: true, hasOneOrder: true }

function makeClient(port: number, options: object = {}): Redis {
  const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => 10, ...options })
  client.on('error', () => {})
  return client
}

async function connectOne(t: Test, port: number): Promise<Redis> {
  const client = makeClient(port)
  t.teardown(() => client.disconnect())
  await client.ping()
  return client
}

testTransport(t, {
  ...service,
  name: 'Redis by ioredis',
  async connect(t, port) {
    const client = makeClient(port)
    t.teardown(() => client.disconnect())
    return ioredisTransport(client)
  },
})

testTransport(t, {
  ...service,
  name: 'Redis by two clients of ioredis that connect lazily, with a key prefix',
  async connect(t, port) {
    const options = { lazyConnect: true, keyPrefix: 'k:' }
    const [client, subscriber] = [makeClient(port, options), makeClient(port, options)]
    for (const one of [client, subscriber]) t.teardown(() => one.disconnect())
    return ioredisTransport(client, subscriber)
  },
})

testOwnership(t, service.port, connectOne, ioredisTransport)
