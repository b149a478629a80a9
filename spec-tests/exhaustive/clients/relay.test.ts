import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient, type Sink } from 'graphql-ws'
import { meros } from 'meros/browser'
import relay from 'relay-runtime'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { readRoot } from '../proxies/proxy.js'
import { serve } from '../../../src/hosts/node/index.js'
import { buildSchema } from '../../../src/index.js'
import { without17 } from '../../incremental/client.js'
import { failures } from './exchanges.js'
import { deferred, linked, scalar, toArtifact } from './relay-artifacts.js'
import { failureHeader, serveStandard } from './serve-standard.js'

const { Environment, Network, Observable, RecordSource, Store } = relay
const { fetchQuery, requestSubscription } = relay

interface Served {
  readonly url: string
  /** Lets what is late come. */
  readonly release: () => void
}

async function start(t: Test): Promise<Served> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const schema = buildSchema(
    `type Query { item: Item }
     type Item { id: ID!  name: String  late: String }
     type Subscription { countdown: Int }`,
    {
      Query: { item: () => ({ id: '1', name: 'Ada' }) },
      Item: { late: () => released.then(() => 'late') },
      Subscription: {
        countdown: {
          async *subscribe() {
            for (const at of [2, 1, 0]) yield { countdown: at }
          },
        },
      },
    },
  )
  const served = await serve({ schema, host: '127.0.0.1', port: 0, websocket: true })
  t.teardown(() => served.close({ grace: 0, spread: 0 }))
  return { url: served.url, release }
}

const noFetch = (): never => {
  throw new Error('It fetches nothing.')
}

const countdown = toArtifact({
  name: 'Countdown',
  kind: 'subscription',
  text: 'subscription Countdown { countdown }',
  selections: [scalar('countdown')],
})

type Request = { readonly query: string; readonly operationName: string }
type Subscribe = (request: Request, sink: Sink) => () => void

/** The clients that Relay's documentation and theirs show for subscriptions. */
const transports: { readonly [name: string]: (t: Test, url: string) => Subscribe } = {
  'graphql-ws'(t, url) {
    const client = createSocketClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    })
    t.teardown(() => client.dispose())
    return (request, sink) => client.subscribe(request, sink)
  },
  'graphql-sse'(_, url) {
    const client = createSseClient({ url, retryAttempts: 0 })
    return (request, sink) => client.subscribe(request, sink)
  },
}

for (const [transport, connect] of Object.entries(transports)) {
  void t.test(`Relay with ${transport}: events, and the end`, async (t) => {
    const { url } = await start(t)
    const subscribe = connect(t, url)
    const network = Network.create(noFetch, ({ text, name }) =>
      Observable.create((sink) =>
        subscribe({ query: text ?? '', operationName: name }, sink as unknown as Sink),
      ),
    )
    const environment = new Environment({ network, store: new Store(new RecordSource()) })
    const results: unknown[] = []
    await new Promise<void>((resolve, reject) => {
      requestSubscription(environment, {
        subscription: countdown,
        variables: {},
        onNext: (data) => results.push(data),
        onError: reject,
        onCompleted: resolve,
      })
    })
    t.same(results, [{ countdown: 2 }, { countdown: 1 }, { countdown: 0 }])
  })
}

/** The adapter of docs/incremental.md, as it stands there. */
async function documentedAdapter(): Promise<(part: unknown) => readonly never[]> {
  const [, code = ''] =
    /```js\n(function toRelay\([^]*?)```/.exec(readRoot('docs/incremental.md')) ?? []
  const module = `data:text/javascript,${encodeURIComponent(`${code}export { toRelay }`)}`
  return ((await import(module)) as { toRelay: (part: unknown) => readonly never[] }).toRelay
}

void t.test('Relay with @defer, by the adapter of the docs', { skip: without17 }, async (t) => {
  const { url, release } = await start(t)
  const toRelay = await documentedAdapter()
  const send = async (query: string): Promise<AsyncIterable<{ readonly body: unknown }>> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'multipart/mixed;deferSpec=20220824' },
      body: JSON.stringify({ query }),
    })
    const parts = await meros<never>(response)
    if (Symbol.asyncIterator in parts) return parts
    throw new Error('It is not multipart.')
  }
  const network = Network.create(({ text }) =>
    Observable.create((sink) => {
      const forward = async (): Promise<void> => {
        for await (const { body } of await send(text ?? '')) {
          for (const payload of toRelay(body)) sink.next(payload)
        }
        sink.complete()
      }
      forward().catch((error: unknown) => sink.error(error as Error))
    }),
  )
  const environment = new Environment({ network, store: new Store(new RecordSource()) })
  const label = 'Item$defer$Late'
  const query = toArtifact({
    name: 'Item',
    kind: 'query',
    text: `query Item {
      item { id name ...Late @defer(label: "${label}") }
    }
    fragment Late on Item { late }`,
    selections: [
      linked('item', 'Item', [scalar('id'), scalar('name'), deferred(label, [scalar('late')])]),
    ],
  })
  const results: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    fetchQuery(environment, query, {}).subscribe({
      next(data) {
        results.push(data)
        release()
      },
      error: reject,
      complete: resolve,
    })
  })
  t.same(results[0], { item: { id: '1', name: 'Ada' } })
  t.same(results.at(-1), { item: { id: '1', name: 'Ada', late: 'late' } })
})

/** What Relay makes of a response; its network function is that of its documentation. */
async function askRelay(url: string, field: string, failure = ''): Promise<unknown> {
  const network = Network.create(async ({ text: query }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', [failureHeader]: failure },
      body: JSON.stringify({ query }),
    })
    return (await response.json()) as never
  })
  const environment = new Environment({ network, store: new Store(new RecordSource()) })
  const query = toArtifact({
    name: 'Asked',
    kind: 'query',
    text: `query Asked { ${field} }`,
    selections: [scalar(field)],
  })
  return fetchQuery(environment, query, {})
    .toPromise()
    .catch((error: unknown) => ({ rejected: error }))
}

void t.test('Relay looks for data, whatever the status', async (t) => {
  const url = await serveStandard(t, '2026-09')
  t.same(await askRelay(url, 'counter'), { counter: 0 })
  t.same(await askRelay(url, 'fail'), { fail: null }, 'errors beside data are dropped')
  const rejected = { rejected: { message: /^No data returned for operation `Asked`/ } }
  for (const field of ['failNonNull', 'noSuchField']) {
    t.match(await askRelay(url, field), rejected)
    t.match(await askRelay(url, field), { rejected: { source: { errors: [{ message: String }] } } })
  }
  for (const [status, code] of failures) {
    const source = { errors: [{ extensions: { code } }] }
    t.match(await askRelay(url, 'counter', String(status)), { rejected: { source } }, `${status}`)
  }
})
