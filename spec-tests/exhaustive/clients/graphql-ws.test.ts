import { createClient, type Client, type ClientOptions } from 'graphql-ws'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { serveSockets, until } from '../hosts/node/websocket/serve-sockets.js'

function connect(t: Test, port: number, options: Partial<ClientOptions> = {}) {
  /** The codes of the sockets that have closed, and how many were opened. */
  const state = { codes: [] as number[], connected: 0 }
  const client = createClient({
    url: `ws://127.0.0.1:${port}/graphql`,
    webSocketImpl: WebSocket,
    retryWait: () => new Promise(setImmediate),
    ...options,
    on: {
      connected: () => (state.connected += 1),
      closed: (event) => state.codes.push((event as { code: number }).code),
    },
  })
  t.teardown(() => client.dispose())
  return Object.assign(state, { client })
}

async function collect(client: Client, query: string): Promise<unknown[]> {
  const results: unknown[] = []
  for await (const result of client.iterate({ query })) results.push(result)
  return results
}

void t.test('queries, mutations and subscriptions', async (t) => {
  const { port } = await serveSockets(t)
  const { client } = connect(t, port)
  t.match(await collect(client, '{ echo(text: "a") }'), [{ data: { echo: 'a' } }])
  t.match(await collect(client, 'mutation { add }'), [{ data: { add: 1 } }])
  t.match(await collect(client, 'subscription { countdown(from: 1) }'), [
    { data: { countdown: 1 } },
    { data: { countdown: 0 } },
  ])
  const refused = await collect(client, '{ nothing }').catch((errors: unknown) => errors)
  t.match(refused, [{ message: /Cannot query field/ }])
})

/** Nothing listens for a moment, which the client takes for final by default. */
const always = { retryAttempts: 100_000, shouldRetry: () => true }

void t.test('1001: it subscribes again, on the next server', async (t) => {
  const first = await serveSockets(t)
  const { client, codes } = connect(t, first.port, always)
  const results: unknown[] = []
  const done = new Promise<void>((resolve, reject) => {
    client.subscribe(
      { query: 'subscription { silent }' },
      { next: (result) => results.push(result), error: reject, complete: resolve },
    )
  })
  await until(() => first.sources.open === 1)
  await first.served.close({ grace: 0, deadline: 5000 })
  t.equal(first.sources.open, 0)
  const second = await serveSockets(t, { port: first.port })
  await until(() => second.sources.open === 1)
  t.equal(codes[0], 1001)
  t.same(results, [], 'it got no complete for the subscription')
  await client.dispose()
  await done
})

void t.test('1001: it sends its variables as they are then', async (t) => {
  const first = await serveSockets(t)
  const { client } = connect(t, first.port, always)
  const query = 'subscription ($bytes: Int!) { flood(bytes: $bytes) }'
  const variables = { bytes: 1 }
  const results = client.iterate<{ readonly flood: string }>({ query, variables })
  t.match(await results.next(), { value: { data: { flood: 'x' } } })
  variables.bytes = 2
  await first.served.close({ grace: 0, deadline: 5000 })
  await serveSockets(t, { port: first.port })
  for await (const { data } of results) if (data?.flood === 'xx') break
})

void t.test('4403: it connects again, with new credentials', async (t) => {
  const { port } = await serveSockets(t, {
    authenticate: ({ headers }) =>
      headers.includes('Bearer 2')
        ? { ok: true, value: 'me' }
        : { ok: false, reason: { kind: 'unauthenticated', challenge: 'Bearer' } },
  })
  let tokens = 0
  const { client, codes } = connect(t, port, {
    connectionParams: () => ({ Authorization: `Bearer ${++tokens}` }),
  })
  t.match(await collect(client, '{ echo(text: "a") }'), [{ data: { echo: 'a' } }])
  t.same([codes[0], tokens], [4403, 2])
})

void t.test('4403 of credentials that expire: its subscriptions go on', async (t) => {
  let isFirst = true
  const { port, sources } = await serveSockets(t, {
    authenticate: () => ({ ok: true, value: 'me' }),
    credentialExpiry() {
      if (!isFirst) return undefined
      isFirst = false
      return new Date(Date.now() + 10)
    },
  })
  const connected = connect(t, port)
  const results = connected.client.iterate({ query: 'subscription { silent }' })
  void results.next()
  await until(() => connected.connected === 2 && sources.open === 1)
  t.same(connected.codes, [4403])
})
