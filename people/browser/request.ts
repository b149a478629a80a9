import { formatJson } from './page.js'

/** The values of the form. The body for `/graphql` is a document, and that for `/mcp` names a tool and its arguments. */
export interface Fields {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly variables: string
}

function toCall({ method, path, body, variables }: Fields) {
  const json = { 'Content-Type': 'application/json' }
  const takesBody = method !== 'GET'
  if (path === '/graphql' && takesBody) {
    const accept = 'application/graphql-response+json, application/json;q=0.9'
    const values = variables.trim() !== '' && { variables: parse('variables', variables) }
    const text = JSON.stringify({ query: body, ...values })
    return { method, path, headers: { Accept: accept, ...json }, body: text }
  }
  if (path === '/mcp' && takesBody) {
    const params = parse('tool and its arguments', body)
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const version = { 'MCP-Protocol-Version': '2025-11-25' }
    const headers = { Accept: 'application/json, text/event-stream', ...version, ...json }
    return { method, path, headers, body: text }
  }
  const hasBody = body.trim() !== '' && takesBody
  const headers = { Accept: '*/*', ...(hasBody && json) }
  return { method, path, headers, body: hasBody ? body : undefined }
}

function parse(what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`The ${what} are not JSON.`)
  }
}

/** A response, as the page shows it; most parts are absent if there was none. */
export interface Answer {
  /** Chooses the colour of the status. */
  readonly kind: 'ready' | 'waiting' | 'done' | 'partial' | 'refused' | 'failed'
  readonly status?: number
  /** The status line: number, reason, media type and duration. */
  readonly summary: string
  readonly sentence?: ReturnType<typeof sentenceOf>
  readonly text?: string
  readonly headers?: string
  readonly curl?: string
}

/** Sends a request to this service; throws an Error with a readable message if there is no response. */
export async function send(fields: Fields, key: string): Promise<Answer> {
  const call = toCall(fields)
  const url = new URL(call.path, location.origin)
  if (url.origin !== location.origin) throw new Error('The path must begin with one slash.')
  const startedAt = performance.now()
  const response = await fetch(url, {
    method: call.method,
    headers: { ...call.headers, ...(key !== '' && { 'X-API-Key': key }) },
    cache: 'no-store',
    ...(call.body !== undefined && { body: call.body }),
  }).catch(() => {
    throw new Error('There is no response: is the service still running?')
  })
  const type = response.headers.get('content-type') ?? ''
  const isStream = type.startsWith('text/event-stream')
  if (isStream) await response.body?.cancel()
  const text = isStream
    ? 'This is a stream, which does not end: the page of live changes follows it.'
    : formatJson(await response.text())
  const milliseconds = Math.max(1, Math.round(performance.now() - startedAt))
  const { status: code, statusText } = response
  return {
    kind: code === 294 ? 'partial' : code < 400 ? 'done' : 'refused',
    status: code,
    summary: `${`${code} ${statusText}`.trim()} · ${type || 'no body'} · ${milliseconds} ms`,
    sentence: sentenceOf(url.pathname, code, text),
    text: text.length > 100_000 ? `${text.slice(0, 100_000)}\n… (cut)` : text,
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    curl: formatCurl(url, call, key),
  }
}

/** For a POSIX shell; the key stays out of it. */
function formatCurl(
  url: URL,
  { method, headers, body }: ReturnType<typeof toCall>,
  key: string,
): string {
  const words = [`curl -i ${quote(url.href)}`]
  if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`-X ${method}`)
  for (const [name, value] of Object.entries(headers))
    words.push(`-H ${quote(`${name}: ${value}`)}`)
  if (key !== '') words.push('-H "X-API-Key: $key"')
  if (body !== undefined) words.push(`-d ${quote(body)}`)
  return words.join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** GraphQL over HTTP, September 2026. Where several sentences share a status, the code of the error decides. */
const graphql: { readonly [statusOrCode: string]: string } = {
  200: 'If the GraphQL result contains the data entry and does not contain the errors entry, then the server SHOULD reply with a 200 status code.',
  294: 'If the GraphQL result contains both the data entry (even if it is null) and the errors entry, then the server SHOULD reply with a 294 status code.',
  400: 'If the JSON body of the request could not be parsed, status code 400 SHOULD be used.',
  401: 'If the client is not permitted to issue the GraphQL request, then the server SHOULD reply with 401, 403, or a similar appropriate status code.',
  422: 'If the request is not a well-formed GraphQL-over-HTTP request, status code 422 SHOULD be used.',
  429: 'A server MAY forbid individual requests by a client to any endpoint for any reason, for example to require authentication or payment; when doing so it SHOULD use the relevant 4xx or 5xx status code.',
  503: 'For example, if the server is not able to execute requests at this time due to maintenance or load-shedding, then status code 503 SHOULD be used.',
  GRAPHQL_PARSE_FAILED:
    'If the GraphQL document in the request cannot be parsed, status code 400 SHOULD be used.',
  GRAPHQL_VALIDATION_FAILED:
    'If the request does not pass GraphQL validation, status code 422 SHOULD be used.',
  OPERATION_RESOLUTION_FAILURE:
    'If the operation to execute cannot be unambiguously determined, status code 422 SHOULD be used.',
}

/** HTTP Semantics (RFC 9110), and Additional HTTP Status Codes (RFC 6585). */
const http: { readonly [status: number]: string } = {
  200: 'The 200 (OK) status code indicates that the request has succeeded.',
  201: 'The 201 (Created) status code indicates that the request has been fulfilled and has resulted in one or more new resources being created.',
  401: 'The 401 (Unauthorized) status code indicates that the request has not been applied because it lacks valid authentication credentials for the target resource.',
  403: 'The 403 (Forbidden) status code indicates that the server understood the request but refuses to fulfill it.',
  404: 'The 404 (Not Found) status code indicates that the origin server did not find a current representation for the target resource or is not willing to disclose that one exists.',
  422: 'The 422 (Unprocessable Content) status code indicates that the server understands the content type of the request content (…), and the syntax of the request content is correct, but it was unable to process the contained instructions.',
  429: 'The 429 status code indicates that the user has sent too many requests in a given amount of time ("rate limiting").',
}

/** The sentence of a specification that explains a response, and where it is, if there is one here. */
function sentenceOf(path: string, status: number, body: string) {
  if (path === '/graphql') {
    const [, code = ''] = /"code":\s*"(\w+)"/.exec(body) ?? []
    const text = (status >= 400 ? graphql[code] : undefined) ?? graphql[status]
    const url = 'https://http-spec.graphql.org/September2026/#sec-Status-Codes'
    return text === undefined ? undefined : { text, url }
  }
  const text = http[status]
  const rfc6585 = 'https://www.rfc-editor.org/rfc/rfc6585#section-4'
  const url = status === 429 ? rfc6585 : `https://httpwg.org/specs/rfc9110.html#status.${status}`
  return text === undefined ? undefined : { text, url }
}
