import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange, subscriptionExchange } from '@urql/core'
import { createClient } from 'graphql-sse'
import t, { type Test } from 'tap'
import { listen, toNodeListener } from '../../../src/hosts/node/index.js'
import { createStreamedEndpoint } from '../../hosts/streams/streamed-endpoint.js'
import { findProgram } from './find-program.js'

async function start(t: Test, port = 0) {
  const endpoint = createStreamedEndpoint()
  const at = { host: '127.0.0.1', port }
  const listening = await listen(toNodeListener(endpoint.handler), at)
  const close = (): Promise<unknown> => listening.close({ grace: 0, spread: 0, deadline: 5_000 })
  t.teardown(close)
  return { ...endpoint, url: `${listening.origin}/graphql`, port: listening.port, close }
}

const countdown = 'subscription { countdown(from: 2) }'
const pushed = 'subscription { pushed }'

type Next = (data: unknown) => void
/** Subscribes with a client; what it returns ends the subscription. */
type Subscribe = (query: string, next: Next, end: (reason?: unknown) => void) => () => void

const apolloOf = (uri: string): ApolloClient =>
  new ApolloClient({ link: new HttpLink({ uri }), cache: new InMemoryCache() })

const ofUrql = (client: Client, query: string, next: Next): (() => void) =>
  client.subscription(query, {}).subscribe(({ data, error }) => next(error ?? data)).unsubscribe

const clients: { readonly [name: string]: (url: string) => Subscribe } = {
  'graphql-sse': (url) => {
    const client = createClient({ url, retryAttempts: 0 })
    return (query, next, end) =>
      client.subscribe({ query }, { next: ({ data }) => next(data), error: end, complete: end })
  },
  'Apollo Client': (url) => (query, next, end) => {
    const subscription = apolloOf(url)
      .subscribe({ query: gql(query) })
      .subscribe({ next: ({ data, error }) => next(error ?? data), error: end, complete: end })
    return () => subscription.unsubscribe()
  },
  'urql with graphql-sse, as its documentation shows it': (url) => {
    const sse = createClient({ url, retryAttempts: 0 })
    const forwardSubscription = ({ query = '' }: { readonly query?: string | undefined }) => ({
      subscribe: (sink: unknown) => ({ unsubscribe: sse.subscribe({ query }, sink as never) }),
    })
    const exchanges = [subscriptionExchange({ forwardSubscription })]
    const client = new Client({ url, preferGetMethod: false, exchanges })
    return (query, next) => ofUrql(client, query, next)
  },
  'urql by fetch': (url) => {
    const exchanges = [fetchExchange]
    const client = new Client({ url, preferGetMethod: false, fetchSubscriptions: true, exchanges })
    return (query, next) => ofUrql(client, query, next)
  },
}

for (const [name, makeClient] of Object.entries(clients)) {
  const isUrql = name.startsWith('urql')
  void t.test(`${name}: events in order, and the end`, async (t) => {
    const { url } = await start(t)
    const results: unknown[] = []
    await new Promise<void>((resolve, reject) => {
      const next: Next = (data) => {
        // urql does not tell of the end; leaving in the middle is an AbortError that it does not catch.
        if (results.push(data) === 3 && isUrql) resolve()
      }
      const end = (reason?: unknown): void => (reason === undefined ? resolve() : reject(reason))
      makeClient(url)(countdown, next, end)
    })
    t.same(results, [{ countdown: 2 }, { countdown: 1 }, { countdown: 0 }])
  })

  void t.test(`${name}: leaving returns the source`, { skip: isUrql }, async (t) => {
    const { url, nextSource, open } = await start(t)
    let took: Next = () => undefined
    const ignore = (): void => undefined
    const leave = makeClient(url)(pushed, (data) => took(data), ignore)
    const source = await nextSource()
    for (const event of [1, 2]) {
      const next = new Promise((resolve) => (took = resolve))
      source.push(event)
      t.same(await next, { pushed: event }, 'each event comes at once')
    }
    leave()
    await source.returned
    t.equal(open(), 0)
  })
}

void t.test('graphql-sse: a server that shuts down is followed by the next', async (t) => {
  const old = await start(t)
  const client = createClient({ url: old.url, retryAttempts: 50, retry: async () => {} })
  const iterator = client.iterate({ query: pushed })
  const first = iterator.next()
  ;(await old.nextSource()).push(1)
  t.match(await first, { value: { data: { pushed: 1 } } })
  const second = iterator.next()
  await old.close()
  const renewed = await start(t, old.port)
  ;(await renewed.nextSource()).push(2)
  t.match(await second, { value: { data: { pushed: 2 } } })
  await iterator.return?.()
})

void t.test('graphql-sse: the single connection mode fails at once, and says why', async (t) => {
  const { url } = await start(t)
  const client = createClient({ url, singleConnection: true, retryAttempts: 0 })
  const failing = client.iterate({ query: pushed }).next()
  await t.rejects(failing, /405.*Method Not Allowed/)
})

void t.test('Apollo Client: a server that shuts down is an error with its code', async (t) => {
  const { url, nextSource, close } = await start(t)
  const ended = new Promise<unknown>((resolve) => {
    apolloOf(url)
      .subscribe({ query: gql(pushed) })
      .subscribe({ next: ({ error }) => resolve(error), error: resolve })
  })
  await nextSource()
  await close()
  t.match(await ended, { errors: [{ extensions: { code: 'SERVER_SHUTDOWN' } }] })
})

const curl = findProgram('curl')

void t.test('curl -N shows each event when it comes', { skip: curl === undefined }, async (t) => {
  const { url, nextSource } = await start(t)
  const child = spawn(curl ?? '', ['-sN', '--get', '--data-urlencode', `query=${pushed}`, url])
  t.teardown(() => child.kill())
  const source = await nextSource()
  let body = ''
  const until = async (text: string): Promise<void> => {
    while (!body.includes(text)) body += String(await once(child.stdout, 'data'))
  }
  source.push(1)
  await until('data: {"data":{"pushed":1}}\n\n')
  source.push(2)
  await until('data: {"data":{"pushed":2}}\n\n')
  child.kill()
  await source.returned
  t.match(body, /^:\n\n/)
})
