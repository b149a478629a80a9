import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import { listen, toNodeListener } from '../../../src/hosts/node/index.js'
import {
  buildSchema,
  createHandler,
  failure,
  fieldValue,
  success,
  type OperationRequest,
  type Options,
} from '../../../src/index.js'
import { http1Client } from '../../hosts/http1-client.js'
import type { Client } from '../../hosts/exchange.js'
import type { Origin } from './origin.js'

const sdl = `
  directive @cacheControl(maxAge: Int, scope: CacheControlScope) on FIELD_DEFINITION
  enum CacheControlScope { PUBLIC PRIVATE }
  type Query {
    open: String @cacheControl(maxAge: 60, scope: PUBLIC)
    brief: String @cacheControl(maxAge: 1, scope: PUBLIC)
    who: String @cacheControl(maxAge: 60)
    mine: String @cacheControl(maxAge: 60, scope: PRIVATE)
    plain: String
    fail: String @cacheControl(maxAge: 60, scope: PUBLIC)
  }
`

/** What a caller shows: each of these makes another caller. */
function whoIs(request: OperationRequest): string {
  const fields = ['authorization', 'cookie', 'x-api-key'].flatMap(
    (name) => request.header(name) ?? [],
  )
  return fields.join(' ') || 'nobody'
}

const schema = buildSchema(sdl, {
  Query: {
    open: () => 'open',
    brief: () => 'brief',
    who: (_source: unknown, _args: object, request: OperationRequest) => whoIs(request),
    mine: (_source: unknown, _args: object, request: OperationRequest) => whoIs(request),
    plain: (_source: unknown, _args: object, request: OperationRequest) => whoIs(request),
    fail: () => {
      throw new Error('it fails')
    },
  },
})

/** The strong tag of the response with this data. */
export function tagOf(data: object): string {
  const digest = createHash('sha256').update(JSON.stringify({ data })).digest('base64')
  return `"graphql.${digest}"`
}

/** Serves `etag` and `cacheHints` at /graphql, and at /keyed the same for callers with an X-API-Key. */
export async function startHintedOrigin(t: Test): Promise<Origin> {
  const seen: {
    method: string
    httpVersion: string
    headers: IncomingMessage['headers']
    status: number
  }[] = []
  const serve = (options: Partial<Options<IncomingMessage>> = {}) =>
    toNodeListener(
      createHandler<IncomingMessage>({
        schema,
        etag: true,
        cacheHints: true,
        onBug: () => {},
        ...options,
      }),
    )
  const open = serve()
  const keyed = serve({
    authenticate: ({ headers }) =>
      fieldValue(headers, 'x-api-key') === undefined
        ? failure({ kind: 'unauthenticated', challenge: 'Key' })
        : success({}),
  })
  const { origin, port, close } = await listen(
    (incoming, outgoing) => {
      const { method = '', url = '', httpVersion, headers } = incoming
      const entry = { method, httpVersion, headers, status: 0 }
      if (headers['x-direct'] === undefined) seen.push(entry)
      outgoing.once('finish', () => (entry.status = outgoing.statusCode))
      ;(url.startsWith('/keyed') ? keyed : open)(incoming, outgoing)
    },
    { port: 0, host: '127.0.0.1' },
  )
  t.teardown(() => close({ grace: 0 }))
  const client = (path: string): Client => {
    const send = http1Client(origin + path)
    return (request) => send({ ...request, headers: { ...request.headers, 'x-direct': 'yes' } })
  }
  return { port, seen, client }
}
