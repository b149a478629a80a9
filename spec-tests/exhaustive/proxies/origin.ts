import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { listen, toNodeListener } from '../../../src/hosts/node/index.js'
import { createRestHandler } from '@graphwire/rest'
import { createHandler, failure, type Options } from '../../../src/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { http1Client } from '../../hosts/http1-client.js'
import type { Client } from '../../hosts/exchange.js'
import { createPeople, routes } from '../../../packages/rest/spec-tests/people.js'

/** A request as it has reached the server behind the proxy, and the status of the response. */
interface Seen {
  readonly method: string
  readonly httpVersion: string
  readonly headers: IncomingMessage['headers']
  status: number
}

export interface Origin {
  readonly port: number
  readonly seen: readonly Seen[]
  client(path: string): Client
}

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Starts a server that notes the requests that come through a proxy. */
export async function startSeeing(t: Test, listener: Listener): Promise<Origin> {
  const seen: Seen[] = []
  const at = { port: 0, host: '127.0.0.1' }
  const { origin, port, close } = await listen(
    (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const { method = '', httpVersion, headers } = incoming
      const entry = { method, httpVersion, headers, status: 0 }
      if (headers['x-direct'] === undefined) seen.push(entry)
      outgoing.once('finish', () => (entry.status = outgoing.statusCode))
      listener(incoming, outgoing)
    },
    at,
  )
  t.teardown(() => close({ grace: 0 }))
  const client = (path: string): Client => {
    const send = http1Client(origin + path)
    return (request) => send({ ...request, headers: { ...request.headers, 'x-direct': 'yes' } })
  }
  return { port, seen, client }
}

/**
 * GraphQL at /graphql. Below it, every answer of /stored may be kept for a minute; at /clean those may that are not
 * `no-store`; /silent says nothing about it, as a server does that knows no better; /busy refuses with 503; at /plain
 * `partialSuccessStatus` is 200. Other paths are resources.
 */
export function startOrigin(t: Test): Promise<Origin> {
  const listeners = createListeners()
  return startSeeing(t, (incoming, outgoing) => {
    const [, name = 'resources'] = /^\/(graphql(?:\/\w+)?)/.exec(incoming.url ?? '') ?? []
    listeners[name]?.(incoming, outgoing)
  })
}

function createListeners(): { readonly [name: string]: Listener } {
  const schema = createStandardSchema()
  const serve = (options: Omit<Options<IncomingMessage>, 'schema'> = {}): Listener =>
    toNodeListener(createHandler<IncomingMessage>({ ...options, schema, onBug: () => {} }))
  const graphql = serve()
  const { schema: people } = createPeople()
  return {
    graphql,
    'graphql/stored': serve({ responseHeaders: () => ({ 'Cache-Control': 'max-age=60' }) }),
    // As docs/proxies.md says it.
    'graphql/clean': serve({
      responseHeaders: ({ headers }) =>
        headers.some((value) => value.includes('no-store'))
          ? undefined
          : { 'Cache-Control': 'max-age=60' },
    }),
    'graphql/silent': (incoming, outgoing) => graphql(incoming, withoutCacheControl(outgoing)),
    'graphql/busy': serve({ authenticate: () => failure({ kind: 'unavailable', retryAfter: 7 }) }),
    'graphql/plain': serve({ partialSuccessStatus: 200 }),
    resources: toNodeListener(
      createRestHandler<IncomingMessage>({ schema: people, routes, onBug: () => {} }),
    ),
  }
}

/** As a middleware does it: from its own `writeHead`, when all headers are set. */
function withoutCacheControl(outgoing: ServerResponse): ServerResponse {
  const writeHead = outgoing.writeHead.bind(outgoing)
  outgoing.writeHead = (status: number, phrase?: unknown): ServerResponse => {
    outgoing.removeHeader('Cache-Control')
    return typeof phrase === 'string' ? writeHead(status, phrase) : writeHead(status)
  }
  return outgoing
}
