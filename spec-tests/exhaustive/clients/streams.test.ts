import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange, subscriptionExchange } from '@urql/core'
import { createClient } from 'graphql-sse'
import t, { type Test } from 'tap'
import { createHostServer, toNodeListener } from '../../../src/hosts/node/index.js'
import {
  createStreamedEndpoint,
  type StreamedEndpoint,
} from '../../hosts/streams/streamed-endpoint.js'
import { listen } from '../../hosts/start-node.js'
import { findProgram } from './find-program.js'

interface Stage extends StreamedEndpoint {
  readonly url: string
  readonly port: number
  readonly close: () => Promise<unknown>
}

async function start(t: Test, port = 0): Promise<Stage> {
  const endpoint = createStreamedEndpoint()
  const { server, close } = createHostServer(toNodeListener(endpoint.handler))
  if (port !== 0) {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const taken = port === 0 ? await listen(server) : port
  const end = (): Promise<unknown> => close({ grace: 0, spread: 0, deadline: 5_000 })
  t.teardown(end)
  return { ...endpoint, url: `http://127.0.0.1:${taken}/graphql`, port: taken, close: end }
}

const countdown = 'subscription { countdown(from: 2) }'
const pushed = 'subscription { pushed }'

void t.test('graphql-sse: events in order, and the end', async (t) => {
  const { url } = await start(t)
  const client = createClient({ url, retryAttempts: 0 })
  const results: unknown[] = []
  for await (const result of client.iterate({ query: countdown })) results.push(result)
  t.same(results, [
    { data: { countdown: 2 } },
    { data: { countdown: 1 } },
    { data: { countdown: 0 } },
  ])
})

void t.test('graphql-sse: queries, and documents that are not valid', async (t) => {
  const { url } = await start(t)
  const client = createClient({ url, retryAttempts: 0 })
  for await (const result of client.iterate({ query: '{ hello }' })) {
    t.same(result, { data: { hello: 'hi' } })
  }
  const results: { errors?: readonly { readonly message: string }[] }[] = []
  for await (const result of client.iterate({ query: '{ nope }' })) results.push(result)
  t.equal(results.length, 1)
  t.match(results[0]?.errors?.[0]?.message, /Cannot query field "nope"/)
})

void t.test('graphql-sse: a client that stops returns its source', async (t) => {
  const { url, nextSource, open } = await start(t)
  const client = createClient({ url, retryAttempts: 0 })
  const iterator = client.iterate({ query: pushed })
  const first = iterator.next()
  const source = await nextSource()
  source.push(1)
  t.same(await first, { done: false, value: { data: { pushed: 1 } } })
  await iterator.return?.()
  await source.returned
  t.equal(open(), 0)
})

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
  const failed: unknown = await client
    .iterate({ query: pushed })
    .next()
    .catch((reason: unknown) => reason)
  t.match(String(failed), /405.*Method Not Allowed/)
})

void t.test('Apollo Client: events, and the end', async (t) => {
  const { url } = await start(t)
  const client = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache() })
  const results: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    client.subscribe({ query: gql(countdown) }).subscribe({
      next: ({ data, error }) => results.push(error ?? data),
      error: reject,
      complete: resolve,
    })
  })
  t.same(results, [{ countdown: 2 }, { countdown: 1 }, { countdown: 0 }])
})

void t.test('Apollo Client: each event comes at once, leaving returns the source', async (t) => {
  const { url, nextSource, open } = await start(t)
  const client = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache() })
  let took: ((data: unknown) => void) | undefined
  const next = (): Promise<unknown> => new Promise((resolve) => (took = resolve))
  const first = next()
  const subscription = client
    .subscribe({ query: gql(pushed) })
    .subscribe({ next: ({ data }) => took?.(data) })
  const source = await nextSource()
  source.push(1)
  t.same(await first, { pushed: 1 })
  const second = next()
  source.push(2)
  t.same(await second, { pushed: 2 })
  subscription.unsubscribe()
  await source.returned
  t.equal(open(), 0)
})

void t.test('Apollo Client: a server that shuts down is an error with its code', async (t) => {
  const { url, nextSource, close } = await start(t)
  const client = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache() })
  const ended = new Promise<unknown>((resolve) => {
    client
      .subscribe({ query: gql(pushed) })
      .subscribe({ next: ({ error }) => resolve(error), error: resolve })
  })
  await nextSource()
  await close()
  t.match(await ended, { errors: [{ extensions: { code: 'SERVER_SHUTDOWN' } }] })
})

void t.test('urql with graphql-sse, as its documentation shows it', async (t) => {
  const { url } = await start(t)
  const sse = createClient({ url, retryAttempts: 0 })
  const forward = ({ query = '', variables }: Given) => ({
    subscribe: (sink: never) => ({
      unsubscribe: sse.subscribe({ query, ...(variables && { variables }) }, sink),
    }),
  })
  const client = new Client({
    url,
    preferGetMethod: false,
    exchanges: [fetchExchange, subscriptionExchange({ forwardSubscription: forward as never })],
  })
  const results: unknown[] = []
  await new Promise<void>((resolve) => {
    const { unsubscribe } = client.subscription(countdown, {}).subscribe(({ data }) => {
      results.push(data)
      if (results.length < 3) return
      unsubscribe()
      resolve()
    })
  })
  t.same(results, [{ countdown: 2 }, { countdown: 1 }, { countdown: 0 }])
})

interface Given {
  readonly query?: string
  readonly variables?: Record<string, unknown>
}

void t.test('urql by fetch', async (t) => {
  const { url } = await start(t)
  const client = new Client({
    url,
    preferGetMethod: false,
    fetchSubscriptions: true,
    exchanges: [fetchExchange],
  })
  const results: unknown[] = []
  await new Promise<void>((resolve) => {
    // Leaving in the middle is an AbortError that urql does not catch.
    client.subscription(countdown, {}).subscribe(({ data, error }) => {
      results.push(error ?? data)
      if (results.length === 3) resolve()
    })
  })
  t.same(results, [{ countdown: 2 }, { countdown: 1 }, { countdown: 0 }])
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
