import t from 'tap'
import { createEndpoint } from '../../src/index.js'
import { buildSchema } from '../../src/options/define-options.js'
import { readStream } from './stream-test.js'

/** Blocks longer than a turn may take. */
function block(): void {
  const until = performance.now() + 11
  while (performance.now() < until);
}

void t.test('an expensive event of one client waits for one of another, not for all', async (t) => {
  const order: string[] = []
  let publish = (): void => undefined
  const published = new Promise<void>((resolve) => (publish = resolve))
  let subscribed = 0
  async function* subscribe(): AsyncGenerator<null> {
    subscribed += 1
    await published
    yield null
  }
  const resolve = (_: unknown, { client }: { readonly client: string }): boolean => {
    order.push(client)
    block()
    return true
  }
  const schema = buildSchema(
    'type Query { a: Int } type Subscription { on(client: String): Boolean }',
    {
      Subscription: { on: { subscribe, resolve } },
    },
  )
  const endpoint = createEndpoint({ schema, trustedProxies: 1 })
  const read = (client: string): Promise<string> =>
    readStream(endpoint, {
      headers: { 'X-Forwarded-For': client },
      json: { query: `subscription { on(client: "${client}") }` },
    })
  const streams = [...Array<string>(20).fill('192.0.2.1'), '192.0.2.2'].map(read)
  while (subscribed < streams.length) await new Promise(setImmediate)
  publish()
  await Promise.all(streams)
  const before = order.indexOf('192.0.2.2')
  t.equal(order.length, 21)
  t.ok(before <= 3, `${before} of the other one came before`)
})
