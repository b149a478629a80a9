import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { meros } from 'meros/browser'
import relay, { type ConcreteRequest } from 'relay-runtime'
import t from 'tap'
import { WebSocket } from 'ws'
import { readRoot } from '../proxies/proxy.js'
import { serve } from '../../../src/hosts/node/index.js'
import { buildSchema } from '../../../src/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { defer } from '../../base/defer.js'
import { without17 } from '../../incremental/client.js'
import { failures } from './exchanges.js'
import { failureHeader, serveStandard } from './serve-standard.js'

const { Environment, fetchQuery, Network, Observable, RecordSource } = relay
const { requestSubscription, Store } = relay

/** A field without arguments that the store has not seen. */
const scalar = (name: string): object => ({ ...field, kind: 'ScalarField', name })
const fragment = { kind: 'Fragment', metadata: null, abstractKey: null }
const field = { alias: null, args: null, storageKey: null }

const post = (url: string, query: string | null, headers: object): Promise<Response> => {
  const all = { 'Content-Type': 'application/json', ...headers }
  return fetch(url, { method: 'POST', headers: all, body: JSON.stringify({ query }) })
}

/** What Relay's compiler makes of an operation; components read `read`, where nothing is deferred. */
function toArtifact(text: string, selections: readonly object[], read = selections) {
  const [, kind = '', name = ''] = /^(\w+) (\w+)/.exec(text) ?? []
  const type = kind === 'query' ? 'Query' : 'Subscription'
  const common = { argumentDefinitions: [], name }
  return {
    fragment: { ...common, ...fragment, type, selections: read },
    kind: 'Request',
    operation: { ...common, kind: 'Operation', selections },
    params: { cacheID: name, id: null, metadata: {}, name, operationKind: kind, text },
  } as unknown as ConcreteRequest
}

/** The clients that its documentation and theirs show for subscriptions. */
for (const transport of ['graphql-ws', 'graphql-sse']) {
  void t.test(`Relay with ${transport}: events, and the end`, async (t) => {
    const options = { host: '127.0.0.1', port: 0, websocket: true }
    const { url, close } = await serve({ schema: createStandardSchema(), ...options })
    t.teardown(() => close({ grace: 0, spread: 0 }))
    const client =
      transport === 'graphql-sse'
        ? createSseClient({ url })
        : createSocketClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket })
    t.teardown(() => client.dispose())
    const network = Network.create(
      () => Promise.reject(new Error('It fetches nothing.')),
      ({ text: query, name: operationName }) =>
        Observable.create((sink) =>
          client.subscribe({ query: query ?? '', operationName }, sink as never),
        ),
    )
    const subscription = toArtifact('subscription Countdown { countdown(from: 2) }', [
      scalar('countdown'),
    ])
    const results: unknown[] = []
    await new Promise<void>((resolve, reject) => {
      requestSubscription(new Environment({ network, store: new Store(new RecordSource()) }), {
        subscription,
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
  const released = defer()
  const sdl = 'type Query { item: Item } type Item { id: ID!  name: String  late: String }'
  const schema = buildSchema(sdl, {
    Query: { item: () => ({ id: '1', name: 'Ada' }) },
    Item: { late: () => released.promise.then(() => 'late') },
  })
  const { url, close } = await serve({ schema, host: '127.0.0.1', port: 0 })
  t.teardown(() => close({ grace: 0 }))
  const toRelay = await documentedAdapter()
  const send = async (query: string): Promise<AsyncIterable<{ readonly body: unknown }>> => {
    const response = await post(url, query, { Accept: 'multipart/mixed;deferSpec=20220824' })
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
  const text = `query Item { item { id name ...Late @defer(label: "${label}") } } fragment Late on Item { late }`
  const item = (late: object): object => ({
    ...field,
    kind: 'LinkedField',
    name: 'item',
    concreteType: 'Item',
    plural: false,
    selections: [scalar('id'), scalar('name'), late],
  })
  const deferred = { if: null, kind: 'Defer', label, selections: [scalar('late')] }
  const query = toArtifact(text, [item(deferred)], [item(scalar('late'))])
  const results: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    fetchQuery(environment, query, {}).subscribe({
      next(data) {
        results.push(data)
        released.resolve()
      },
      error: reject,
      complete: resolve,
    })
  })
  t.same(results[0], { item: { id: '1', name: 'Ada' } })
  t.same(results.at(-1), { item: { id: '1', name: 'Ada', late: 'late' } })
})

/** What Relay makes of a response; its network function is that of its documentation. */
async function askRelay(url: string, asked: string, failure = ''): Promise<unknown> {
  const network = Network.create(async ({ text: query }) => {
    const response = await post(url, query, { [failureHeader]: failure })
    return (await response.json()) as never
  })
  const environment = new Environment({ network, store: new Store(new RecordSource()) })
  const query = toArtifact(`query Asked { ${asked} }`, [scalar(asked)])
  return fetchQuery(environment, query, {})
    .toPromise()
    .catch((error: unknown) => ({ rejected: error }))
}

void t.test('Relay looks for data, whatever the status', async (t) => {
  const { url } = await serveStandard(t, '2026-09')
  t.same(await askRelay(url, 'counter'), { counter: 0 })
  t.same(await askRelay(url, 'fail'), { fail: null }, 'errors beside data are dropped')
  const rejected = { rejected: { message: /^No data returned for operation `Asked`/ } }
  for (const name of ['failNonNull', 'noSuchField']) {
    t.match(await askRelay(url, name), rejected)
    t.match(await askRelay(url, name), { rejected: { source: { errors: [{ message: String }] } } })
  }
  for (const [status, code] of failures) {
    const source = { errors: [{ extensions: { code } }] }
    t.match(await askRelay(url, 'counter', String(status)), { rejected: { source } }, `${status}`)
  }
})
