import { formatJson } from './page.js'
import { sentenceOf } from './sentences.js'

/** What the fields of the form have. A body for `/graphql` is a document, and one for `/mcp` names a tool and its arguments. */
export interface Fields {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly variables: string
}

/** A longer text is cut: a page is not the place to read it. */
const maxShown = 100_000

/** A request, as it is sent. */
interface Call {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
}

function toCall({ method, path, body, variables }: Fields): Call {
  const json = { 'Content-Type': 'application/json' }
  if (path === '/graphql') {
    const accept = 'application/graphql-response+json, application/json;q=0.9'
    const values = variables.trim() !== '' && { variables: parse('variables', variables) }
    const text = JSON.stringify({ query: body, ...values })
    return { method, path, headers: { Accept: accept, ...json }, body: text }
  }
  if (path === '/mcp') {
    const params = parse('tool and its arguments', body)
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const headers = {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
    }
    return { method, path, headers: { ...headers, ...json }, body: text }
  }
  const hasBody = body.trim() !== '' && method !== 'GET'
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
  /** The request as a command. */
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
  const text = type.startsWith('text/event-stream')
    ? await skipStream(response)
    : await response.text()
  const milliseconds = Math.max(1, Math.round(performance.now() - startedAt))
  const { status: code, statusText } = response
  return {
    kind: code === 294 ? 'partial' : code < 400 ? 'done' : 'refused',
    status: code,
    summary: `${`${code} ${statusText}`.trim()} · ${type || 'no body'} · ${milliseconds} ms`,
    sentence: sentenceOf(url.pathname, code, text),
    text: cut(formatJson(text)),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    curl: formatCurl(call, key),
  }
}

async function skipStream(response: Response): Promise<string> {
  await response.body?.cancel()
  return 'This is a stream, which does not end: the page of live changes follows it.'
}

function cut(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}\n… (cut)` : text
}

/** For a POSIX shell; the key stays out of it. */
function formatCurl({ method, path, headers, body }: Call, key: string): string {
  const words = [`curl -i ${quote(location.origin + path)}`]
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
