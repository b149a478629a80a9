import { hash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { GraphQLSchema } from 'graphql'
import { createApiDescription } from '@graphwire/rest'
import type { ApiDescriptionOptions } from '@graphwire/rest'
import {
  fieldValue,
  problem,
  traceRequests,
  type CorsOptions,
  type Handler,
  type HeaderList,
  type HttpResponse,
  type RequestHead,
} from 'graphwire'
import { createCors, matchesTag, parseEntityTags } from 'graphwire/http'
import { loginRoutes, loginSchema } from './login.js'
import type { AuthMode } from './access/principal.js'
import type { Metrics } from './front/metrics.js'
import { peopleRoutes } from './routes.js'
import { keyParameter } from './idempotency.js'

export const jsonType = 'application/json; charset=utf-8'

export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

export const whoNeedsKey: { readonly [mode in AuthMode]: string } = {
  off: 'No request needs a key here.',
  writes: 'Reads need no key. Writes need one with the scope write.',
  all: 'Every request needs a key: reads one with the scope read, writes one with the scope write.',
}

/** `GET /openapi.json`, generated from the routes and the schema. */
export function serveApiDescription(
  schema: GraphQLSchema,
  auth: AuthMode,
  cors?: CorsOptions,
): Handler {
  const info = {
    title: 'people',
    version: readVersion(),
    license: { name: 'MIT', identifier: 'MIT' },
    description:
      'People with friends and addresses. The same data is available as GraphQL at /graphql, following the September 2026 edition of GraphQL over HTTP.',
  }
  const login = createApiDescription({
    schema: loginSchema,
    routes: loginRoutes,
    info,
    security: () => [{}],
  })
  const description = createApiDescription({
    schema,
    routes: peopleRoutes,
    info,
    ...(auth !== 'off' && {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: whoNeedsKey[auth] },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      security: ({ method }) => [
        ...(auth === 'writes' && method === 'GET' ? [{}] : []),
        { apiKey: [] },
        { token: [] },
      ],
    }),
    parameters: ({ method }) => (method === 'GET' ? [] : [keyParameter]),
    methodOverride: true,
    moreOperations: login['paths'] as NonNullable<ApiDescriptionOptions<never>['moreOperations']>,
  })
  return servePage(createPage(jsonType, JSON.stringify(description)), cors)
}

/** `GET /metrics`, protected by a bearer token if one is set. */
export function serveMetrics(
  read: () => ReturnType<Metrics['read']>,
  token: string | undefined,
): Handler {
  const expected = token === undefined ? undefined : hash('sha256', token, 'buffer')
  return createReader(async (head) => {
    const [, sentToken = ''] =
      /^Bearer +(\S+)$/i.exec(fieldValue(head.headers, 'authorization') ?? '') ?? []
    // Digests have equal lengths, and the time of their comparison reveals nothing about the token.
    if (expected !== undefined && !timingSafeEqual(hash('sha256', sentToken, 'buffer'), expected)) {
      return problem({
        status: 401,
        code: 'UNAUTHENTICATED',
        detail: 'The metrics require a bearer token.',
        headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
      })
    }
    const { text, type } = await read()
    const headers = ['Content-Type', type, 'Cache-Control', 'no-store', ...noSniff]
    return { status: 200, headers, body: text }
  })
}

export type Page = ReturnType<typeof createPage>

/** A body that does not change while the service runs; the headers are those of a 304, too. */
export function createPage(
  type: string,
  body: string | Uint8Array,
  more: HeaderList = [],
  caching = 'no-cache',
) {
  const tag = hash('sha256', body, 'base64url').slice(0, 27)
  const headers = ['ETag', `"${tag}"`, 'Cache-Control', caching, ...noSniff, ...more]
  return { tag, headers, ofBody: ['Content-Type', type], body }
}

/** Serves a page, or 304 to a client that has it already. */
export function servePage(page: Page | ((head: RequestHead) => Page), cors?: CorsOptions): Handler {
  return createReader((head) => {
    const { tag, headers, ofBody, body } = typeof page === 'function' ? page(head) : page
    const cached = parseEntityTags(fieldValue(head.headers, 'if-none-match') ?? '')
    return cached !== undefined && matchesTag(cached, tag, 'weak')
      ? { status: 304, headers, body: '' }
      : { status: 200, headers: [...ofBody, ...headers], body }
  }, cors)
}

/** A handler for GET and HEAD; OPTIONS names them, other methods are 405. */
function createReader(
  respond: (head: RequestHead) => HttpResponse | Promise<HttpResponse>,
  cors?: CorsOptions,
): Handler {
  const { headersFor = () => [] } = createCors(cors, () => allowed)
  return traceRequests(async (head) => {
    const response = await answer(head)
    return { ...response, headers: [...response.headers, ...headersFor(head)] }
  })

  function answer(head: RequestHead): HttpResponse | Promise<HttpResponse> {
    const { method } = head
    if (method === 'GET' || method === 'HEAD') return respond(head)
    if (method === 'OPTIONS') {
      return { status: 204, headers: ['Allow', allowed, ...noSniff], body: '' }
    }
    return problem({
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      detail: `The method ${JSON.stringify(method.slice(0, 100))} is not supported here: use GET.`,
      headers: { Allow: allowed },
    })
  }
}

const allowed = 'GET, HEAD, OPTIONS'

/** Browsers must not guess a type. */
const noSniff: HeaderList = ['X-Content-Type-Options', 'nosniff']
