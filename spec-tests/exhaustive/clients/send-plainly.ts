import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request that is sent as it stands: no header but Host and the length is added. */
export interface PlainRequest {
  readonly url: string
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string
}

/** What is left of an answer when a shell has it: a status, a type and a text. */
export interface PlainResponse {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Sends the request with the curl at that path. */
export async function sendWithCurl(curl: string, request: PlainRequest): Promise<PlainResponse> {
  const { url, method, headers, body } = request
  const lines = Object.entries(headers).map(([name, value]) =>
    value === '' ? `${name};` : `${name}: ${value}`,
  )
  // A name without a value takes away what curl would send by itself; the request may bring its own.
  const head = ['Accept:', 'User-Agent:', ...lines].flatMap((line) => ['--header', line])
  const data = body === undefined ? [] : ['--data-binary', '@-']
  const child = spawn(curl, [...quiet, '--request', method, ...head, ...data, url])
  child.stdin.on('error', () => {}) // A curl that ended early says on stderr why.
  child.stdin.end(body)
  const [output, complaint] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  const end = output.lastIndexOf('\n')
  const [status = '', type = ''] = output.slice(end + 1).split(/;? /)
  if (status === '000' || status === '') throw new Error(`curl got no answer: ${complaint}`)
  return { status: Number(status), type, body: output.slice(0, end) }
}

const quiet = [
  '--disable',
  '--noproxy',
  '*',
  '--silent',
  '--show-error',
  '--max-time',
  '20',
  '--write-out',
  '\n%{http_code} %{content_type}',
]

/** Sends the same request without curl. */
export async function sendWithNode(request: PlainRequest): Promise<PlainResponse> {
  const { url, method, headers, body } = request
  const outgoing = httpRequest(url, { method, headers, agent: false })
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return {
    status: incoming.statusCode ?? 0,
    type: incoming.headers['content-type']?.split(';')[0] ?? '',
    body: await text(incoming),
  }
}
