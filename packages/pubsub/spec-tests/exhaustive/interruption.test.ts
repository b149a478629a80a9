import { ApolloClient, gql, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { createPubSub } from '@graphwire/pubsub'
import { Client, subscriptionExchange } from '@urql/core'
import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { buildSchema } from 'graphwire'
import { serve } from 'graphwire/node'
import relay from 'relay-runtime'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { FakeService } from '../fake-service.js'

const query = 'subscription Tick { tick }'

/** Subscribes; events come to `next`, an end of any kind to `end`. */
type Subscribe = (next: (tick: unknown) => void, end: (reason: unknown) => void) => void

const overSockets = (url: string) =>
  createSocketClient({
    url: url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    retryWait: () => new Promise(setImmediate),
  })

const overSse = (url: string) => createSseClient({ url, retry: async () => {} })

/** Each client as its documentation shows it: none has a handler for interruptions. */
const clients: { readonly [name: string]: (t: Test, url: string) => Subscribe } = {
  'graphql-ws': (t, url) => subscribeWith(t, overSockets(url)),
  'graphql-sse': (t, url) => subscribeWith(t, overSse(url)),
  'Apollo Client'(t, url) {
    const client = overSockets(url)
    t.teardown(() => client.dispose())
    const apollo = new ApolloClient({ link: new GraphQLWsLink(client), cache: new InMemoryCache() })
    return (next, end) => {
      const events = apollo.subscribe<{ tick: number }>({ query: gql(query) })
      const running = events.subscribe({
        next: ({ data, error }) => (error ? end(error) : next(data?.tick)),
        error: end,
        complete: () => end('complete'),
      })
      t.teardown(() => running.unsubscribe())
    }
  },
  urql(t, url) {
    const sse = overSse(url)
    t.teardown(() => sse.dispose())
    const forwardSubscription = ({ query: text = '' }: { readonly query?: string }) => ({
      subscribe: (sink: never) => ({ unsubscribe: sse.subscribe({ query: text }, sink) }),
    })
    const exchanges = [subscriptionExchange({ forwardSubscription: forwardSubscription as never })]
    const client = new Client({ url, preferGetMethod: false, exchanges })
    return (next, end) => {
      const running = client.subscription<{ tick: number }>(query, {})
      const { unsubscribe } = running.subscribe(({ data, error }) =>
        error ? end(error) : next(data?.tick),
      )
      t.teardown(unsubscribe)
    }
  },
  Relay(t, url) {
    const client = overSockets(url)
    t.teardown(() => client.dispose())
    return (next, end) => {
      const observed = relay.Observable.create<{ readonly data: { readonly tick: number } }>(
        (sink) => client.subscribe({ query }, sink),
      )
      const running = observed.subscribe({
        next: ({ data }) => next(data.tick),
        error: end,
        complete: () => end('complete'),
      })
      t.teardown(() => running.unsubscribe())
    }
  },
}

function subscribeWith(
  t: Test,
  client: { subscribe(request: { query: string }, sink: never): unknown; dispose(): unknown },
): Subscribe {
  t.teardown(() => client.dispose())
  return (next, end) => {
    const sink = {
      next: ({ data }: { readonly data?: { readonly tick?: unknown } | null }) => next(data?.tick),
      error: end,
      complete: () => end('complete'),
    }
    client.subscribe({ query }, sink as never)
  }
}

for (const [name, connect] of Object.entries(clients)) {
  void t.test(`${name} comes back by itself when the service was lost`, async (t) => {
    const service = new FakeService()
    const pubsub = createPubSub({ transport: service.transport, onGap: 'reconnect' })
    const schema = buildSchema('type Query { a: Int } type Subscription { tick: Int }', {
      Subscription: {
        tick: {
          subscribe: () => pubsub.subscribe('tick'),
          resolve: (tick: unknown) => tick,
        },
      },
    })
    const { url, close } = await serve({ schema, port: 0, websocket: true })
    t.teardown(() => close({ grace: 0, spread: 0 }))
    /** Resolves once this many subscriptions have been asked for. */
    const listened = async (times: number): Promise<void> => {
      const count = () => service.commands.filter((one) => one === 'listen tick').length
      while (count() < times) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const seen: unknown[] = []
    let took = (): void => {}
    const next = (tick: unknown): void => {
      seen.push(tick)
      took()
    }
    const ends: unknown[] = []
    connect(t, url)(next, (reason) => ends.push(reason))
    const publish = async (tick: number): Promise<void> => {
      const arrived = new Promise<void>((resolve) => (took = resolve))
      await pubsub.publish('tick', tick)
      await arrived
    }
    await listened(1)
    await publish(1)
    service.cut()
    service.mend()
    await listened(2)
    await publish(2)
    t.strictSame(seen, [1, 2])
    t.strictSame(ends, [], 'what uses the client knows of nothing')
  })
}
