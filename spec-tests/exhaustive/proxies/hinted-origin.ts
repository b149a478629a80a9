import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { buildSchema, createHandler, failure, fieldValue, success } from '../../../src/index.js'
import type { OperationRequest, Options } from '../../../src/index.js'
import { startSeeing, type Listener, type Origin } from './origin.js'

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
function whoIs(_source: unknown, _args: object, request: OperationRequest): string {
  const fields = ['authorization', 'cookie', 'x-api-key'].flatMap(
    (name) => request.header(name) ?? [],
  )
  return fields.join(' ') || 'nobody'
}

const schema = buildSchema(sdl, {
  Query: {
    open: () => 'open',
    brief: () => 'brief',
    who: whoIs,
    mine: whoIs,
    plain: whoIs,
    fail: () => {
      throw new Error('it fails')
    },
  },
})

export function tagOf(data: object): string {
  const digest = createHash('sha256').update(JSON.stringify({ data })).digest('base64')
  return `"graphql.${digest}"`
}

/** Serves `etag` and `cacheHints` at /graphql, and at /keyed the same for callers with an X-API-Key. */
export function startHintedOrigin(t: Test): Promise<Origin> {
  const serve = (options: Partial<Options<IncomingMessage>> = {}): Listener =>
    toNodeListener(
      createHandler({ schema, etag: true, cacheHints: true, onBug: () => {}, ...options }),
    )
  const open = serve()
  const keyed = serve({
    authenticate: ({ headers }) =>
      fieldValue(headers, 'x-api-key') === undefined
        ? failure({ kind: 'unauthenticated', challenge: 'Key' })
        : success({}),
  })
  return startSeeing(t, (incoming, outgoing) =>
    (incoming.url?.startsWith('/keyed') ? keyed : open)(incoming, outgoing),
  )
}
