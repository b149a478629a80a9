import { buildSchema } from 'graphql'
import { Agent, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { serve } from '../../../../../src/hosts/node/index.js'
import { collectGarbage } from '../../../../collect-garbage.js'

const schema = buildSchema('type Query { hello: String }')
const body = JSON.stringify({ query: '{ hello }' })

/** Sends a request on the one connection of an agent, and reads the response. */
async function ask(port: number, agent: Agent, pieces: readonly string[]): Promise<number> {
  const sent = request({
    port,
    agent,
    host: '127.0.0.1',
    path: '/graphql',
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
  })
  for (const piece of pieces) {
    sent.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response.statusCode as number
}

async function startServer(t: Test, kept: WeakRef<object>[]): Promise<number> {
  const server = await serve({
    schema,
    port: 0,
    host: '127.0.0.1',
    rootValue: { hello: 'Hi' },
    context() {
      const own = { of: 'one request' }
      kept.push(new WeakRef(own))
      return own
    },
  })
  t.teardown(() => server.close())
  return Number(new URL(server.url).port)
}

// Data that outlives its request is moved by garbage collections: that took a fifth of a long list.
for (const [name, pieces] of [
  ['at once', [body]],
  ['in two pieces', [body.slice(0, 5), body.slice(5)]],
] as const) {
  void t.test(`a connection keeps nothing of a request whose body came ${name}`, async (t) => {
    const kept: WeakRef<object>[] = []
    const port = await startServer(t, kept)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => agent.destroy())
    t.equal(await ask(port, agent, pieces), 200)
    await collectGarbage()
    t.equal(kept.length, 1)
    t.equal(kept[0]?.deref(), undefined)
    t.equal(Object.values(agent.freeSockets).flat().length, 1, 'the connection is open')
  })
}
