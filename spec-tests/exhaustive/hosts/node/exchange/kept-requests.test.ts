import { buildSchema } from 'graphql'
import { Agent, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import t from 'tap'
import { serve } from '../../../../../src/hosts/node/index.js'
import { collectGarbage } from '../../../../collect-garbage.js'

const body = JSON.stringify({ query: '{ hello }' })

/** Sends a request on the one connection of an agent, and reads the response. */
async function ask(port: number, agent: Agent, pieces: readonly string[]): Promise<number> {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length }
  const to = { port, agent, host: '127.0.0.1', path: '/graphql' }
  const sent = request({ ...to, method: 'POST', headers })
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

// Data that outlives its request is moved by garbage collections: that took a fifth of a long list.
for (const [name, pieces] of [
  ['at once', [body]],
  ['in two pieces', [body.slice(0, 5), body.slice(5)]],
] as const) {
  void t.test(`a connection keeps nothing of a request whose body came ${name}`, async (t) => {
    const kept: WeakRef<object>[] = []
    const { port, close } = await serve({
      schema: buildSchema('type Query { hello: String }'),
      port: 0,
      host: '127.0.0.1',
      context() {
        const own = { of: 'one request' }
        kept.push(new WeakRef(own))
        return own
      },
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => {
      agent.destroy()
      return close()
    })
    t.equal(await ask(port, agent, pieces), 200)
    await collectGarbage()
    t.equal(kept.length, 1)
    t.equal(kept[0]?.deref(), undefined)
    t.equal(Object.values(agent.freeSockets).flat().length, 1, 'the connection is open')
  })
}
