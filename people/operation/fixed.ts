import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  fieldValue,
  problem,
  traceRequests,
  type Handler,
  type HeaderList,
  type HttpResponse,
  type RequestHead,
} from 'graphwire'

/** A text that is made once. */
export interface Page {
  readonly type: string
  readonly text: string
  readonly etag: string
}

/** Makes a page with the ETag of its text. */
export function createPage(type: string, text: string): Page {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 27)
  return { type, text, etag: `"${digest}"` }
}

/** A handler that only reads: GET and HEAD, and OPTIONS says so. */
export function createReader(
  answer: (head: RequestHead<IncomingMessage>) => HttpResponse | Promise<HttpResponse>,
): Handler<IncomingMessage> {
  return traceRequests<IncomingMessage>((head) => {
    const { method } = head
    if (method === 'GET' || method === 'HEAD') return answer(head)
    if (method === 'OPTIONS') return { status: 204, headers: ['Allow', allowed], body: '' }
    return problem({
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      detail: `The method ${JSON.stringify(method.slice(0, 100))} is not supported here: use GET.`,
      headers: { Allow: allowed },
    })
  })
}

const allowed = 'GET, HEAD, OPTIONS'

/** The page, or 304 for a client that has it already. */
export function answerPage(head: RequestHead, page: Page, more: HeaderList = []): HttpResponse {
  const headers = ['ETag', page.etag, 'Cache-Control', 'no-cache', ...more]
  const known = fieldValue(head.headers, 'if-none-match')
  if (known !== undefined && isAmong(page.etag, known)) return { status: 304, headers, body: '' }
  return {
    status: 200,
    headers: ['Content-Type', page.type, 'X-Content-Type-Options', 'nosniff', ...headers],
    body: page.text,
  }
}

/** RFC 9110 section 13.1.2: weak comparison, and `*` is everything that exists. */
function isAmong(etag: string, list: string): boolean {
  return (
    list.trim() === '*' || list.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
  )
}
