import t from 'tap'
import { toNodeListener } from '../../../../../src/hosts/node/index.js'
import { buildSchema, createHandler } from '../../../../../src/index.js'
import { host } from '../../hosted.js'
import { postBytes } from '../../raw-client.js'

const schema = buildSchema('type Query { now: String }', { Query: { now: () => 'now' } })

function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const requests: { readonly [method: string]: (query: string) => string } = {
  GET: (query) => `GET /?query=${encodeURIComponent(query)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  POST: (query) => postBytes(JSON.stringify({ query })),
  'large POST': (query) => postBytes(JSON.stringify({ query }).padEnd(20_000)),
}

for (const [method, request] of Object.entries(requests)) {
  void t.test(`of what takes long, two ${method} requests run in a turn at most`, async (t) => {
    let inTurn = 0
    let most = 0
    const slow = () => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0))
      inTurn += 1
      most = Math.max(most, inTurn)
      block(11)
      return {}
    }
    const listener = toNodeListener(createHandler({ schema, validationRules: [slow] }))
    const { connect } = await host(t, {}, listener)
    const clients = await Promise.all(Array.from({ length: 20 }, () => connect()))
    // Node accepts one connection in a turn.
    for (const client of clients) client.write(request('{ now }'))
    for (const client of clients) t.match(await client.next(), { status: 200 })
    for (const [at, client] of clients.entries()) client.write(request(`query Q${at} { now }`))
    for (const client of clients) t.match(await client.next(), { status: 200 })
    t.ok(most > 0 && most <= 2, `${most} in a turn`)
  })
}
