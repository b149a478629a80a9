import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import {
  createApiDescription,
  fieldValue,
  problem,
  traceRequests,
  type Handler,
  type HeaderList,
  type HttpResponse,
  type RequestHead,
} from 'graphwire'
import { chooseType, matchesTag, parseEntityTags } from 'graphwire/http'
import { loginPath } from './access/login.js'
import type { Metrics } from './front/metrics.js'
import { describeKeys } from './describe-keys.js'
import { peopleRoutes } from './routes.js'

const jsonType = 'application/json; charset=utf-8'

const links = {
  graphql: '/graphql',
  mcp: '/mcp',
  people: '/people',
  person: '/person/{id}',
  login: '/login',
  openapi: '/openapi.json',
  metrics: '/metrics',
  live: '/livez',
  ready: '/readyz',
} as const

/** `GET /`: name, version and links, as JSON or as HTML. */
export function serveIndex(): Handler<IncomingMessage> {
  const facts = { name: 'people', version: readVersion(), links }
  const pages = {
    'application/json': createPage(jsonType, JSON.stringify(facts)),
    'text/html': createPage('text/html; charset=utf-8', formatHtml(facts.version)),
  }
  return createReader((head) => {
    // A client that accepts neither still learns where to go.
    const type = chooseType(fieldValue(head.headers, 'accept'), ['application/json', 'text/html'])
    const page = pages[type ?? 'application/json']
    return toResponse(head, page, ['Vary', 'Accept', 'Content-Security-Policy', policy])
  })
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** The version of the service's own package. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Links that a browser cannot follow. */
const unlinked: { readonly [path: string]: string } = {
  [links.graphql]: `<code>POST ${links.graphql}</code>`,
  [links.mcp]: `<code>POST ${links.mcp}</code>`,
  [links.person]: `<code>${links.person}</code>`,
  [links.login]: `<code>POST ${links.login}</code>`,
}

function formatHtml(version: string): string {
  const rows = Object.entries(links).map(([name, path]) => {
    const place = unlinked[path] ?? `<a href="${path}">${path}</a>`
    return `<tr><th>${name}</th><td>${place}</td></tr>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>people</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem }
  th { text-align: left; padding-right: 2rem; font-weight: 600 }
  code { background: #eee; padding: 0.1em 0.3em }
</style>
<h1>people ${version}</h1>
<p>People with friends and addresses, as GraphQL at <code>POST /graphql</code> and as resource-style endpoints.
GraphQL follows the <a href="https://http-spec.graphql.org/September2026/">September 2026</a> edition of GraphQL over HTTP.</p>
<table>
${rows.join('\n')}
</table>
<p>Try <a href="/person/1">/person/1</a>; <a href="/openapi.json">/openapi.json</a> describes the rest.</p>
</html>
`
}

/** `GET /openapi.json`, generated from the routes and the schema. */
export function serveApiDescription(schema: GraphQLSchema): Handler<IncomingMessage> {
  const description = createApiDescription({
    schema,
    routes: peopleRoutes,
    info: {
      title: 'people',
      version: readVersion(),
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'People with friends and addresses. The same data is available as GraphQL at /graphql, following the September 2026 edition of GraphQL over HTTP.',
    },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    },
    methodOverride: true,
    // Reads also accept a credential, which AUTH=all requires.
    security: ({ method }) => [...(method === 'GET' ? [{}] : []), { apiKey: [] }, { token: [] }],
    moreOperations: { '/login': loginPath },
  })
  const page = createPage(jsonType, JSON.stringify(describeKeys(description, ['/login'])))
  return createReader((head) => toResponse(head, page))
}

/** `GET /metrics`, protected by a bearer token if one is set. */
export function serveMetrics(
  metrics: Metrics,
  token: string | undefined,
): Handler<IncomingMessage> {
  const expected = token === undefined ? undefined : digest(token)
  return createReader(async (head) => {
    const [, sentToken = ''] =
      /^Bearer +(\S+)$/i.exec(fieldValue(head.headers, 'authorization') ?? '') ?? []
    // Digests have equal lengths, and the time of their comparison reveals nothing about the token.
    if (expected !== undefined && !timingSafeEqual(digest(sentToken), expected)) {
      return problem({
        status: 401,
        code: 'UNAUTHENTICATED',
        detail: 'The metrics require a bearer token.',
        headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
      })
    }
    const { text, type } = await metrics.read()
    const headers = ['Content-Type', type, 'Cache-Control', 'no-store', ...noSniff]
    return { status: 200, headers, body: text }
  })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A text that does not change while the service runs. */
interface Page {
  /** Its media type. */
  readonly type: string
  readonly text: string
  /** The text of its entity tag, without the quotes. */
  readonly tag: string
}

function createPage(type: string, text: string): Page {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 27)
  return { type, text, tag }
}

/** A handler for GET and HEAD; OPTIONS names them, other methods are 405. */
function createReader(
  respond: (head: RequestHead<IncomingMessage>) => HttpResponse | Promise<HttpResponse>,
): Handler<IncomingMessage> {
  return traceRequests<IncomingMessage>((head) => {
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
  })
}

const allowed = 'GET, HEAD, OPTIONS'

/** Browsers must not guess another type than the one that is given. */
const noSniff: HeaderList = ['X-Content-Type-Options', 'nosniff']

/** The page, or 304 for a client that has it already. */
function toResponse(
  { headers: fields }: RequestHead,
  { type, text, tag }: Page,
  more: HeaderList = [],
): HttpResponse {
  const headers = ['ETag', `"${tag}"`, 'Cache-Control', 'no-cache', ...noSniff, ...more]
  const cached = parseEntityTags(fieldValue(fields, 'if-none-match') ?? '')
  if (cached !== undefined && matchesTag(cached, tag, 'weak')) {
    return { status: 304, headers, body: '' }
  }
  return { status: 200, headers: ['Content-Type', type, ...headers], body: text }
}
