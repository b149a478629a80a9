import { quote } from './quote.js'
import { maxResponseBytes, trimBlanks, type FieldLine, type WireResponse } from './exchange.js'

/** The largest head of a response that is kept. */
export const maxHeadBytes: number = 64 * 1024

/** The bytes of a connection that are not read yet. If they exceed a limit, all are dropped. */
export class ReceivedBytes {
  #buffer = Buffer.alloc(0)
  #start = 0
  #end = 0
  /** What the connection has sent in all: many small responses take as much memory as a large one. */
  #total = 0
  #problem: string | undefined

  /** The bytes not yet taken. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end)
  }

  /** Why the bytes were dropped. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** How much memory the bytes take. */
  get retained(): number {
    return this.#buffer.length
  }

  add(chunk: Buffer): void {
    if (this.#problem !== undefined) return
    this.#total += chunk.length
    if (this.#total > maxResponseBytes) {
      return this.#drop(`the response is larger than ${maxResponseBytes} bytes`)
    }
    this.#makeRoom(chunk.length)
    this.#end += chunk.copy(this.#buffer, this.#end)
    const { bytes } = this
    if (bytes.length > maxHeadBytes && !bytes.subarray(0, maxHeadBytes).includes('\r\n\r\n')) {
      this.#drop(`the head of the response is larger than ${maxHeadBytes} bytes`)
    }
  }

  /** Skips bytes that have been read; the reader may keep them. */
  take(length: number): void {
    this.#start += length
  }

  /** A buffer that doubles copies each byte only a few times. Bytes that were taken keep the old one. */
  #makeRoom(more: number): void {
    if (this.#end + more <= this.#buffer.length) return
    const { bytes } = this
    const size = Math.max(bytes.length + more, Math.min(bytes.length * 2, maxResponseBytes))
    const grown = Buffer.allocUnsafe(size)
    bytes.copy(grown)
    this.#buffer = grown
    this.#start = 0
    this.#end = bytes.length
  }

  #drop(problem: string): void {
    this.#problem = problem
    this.#buffer = Buffer.alloc(0)
    this.#start = 0
    this.#end = 0
  }
}

/** The response at the start of the bytes and its length, or too few bytes, or not HTTP at all. */
export type ReadResponse =
  | { readonly kind: 'response'; readonly response: WireResponse; readonly length: number }
  | UnreadState

type UnreadState =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'invalid'; readonly reason: string }

const incomplete: UnreadState = { kind: 'incomplete' }

/** Reads one HTTP/1.x response (RFC 9112). `ended`: the connection is closed and no more bytes come. */
export function readResponse(bytes: Buffer, isHead: boolean, ended: boolean): ReadResponse {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return incomplete
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = /^HTTP\/1\.[01] ([1-5]\d\d)(?: .*)?$/.exec(statusLine)?.[1]
  if (status === undefined) return invalid(`no valid status line: ${quote(statusLine)}`)
  const headers: FieldLine[] = []
  for (const line of lines) {
    const [, name, value = ''] = fieldLine.exec(line) ?? []
    if (name === undefined) return invalid(`no valid header line: ${quote(line)}`)
    headers.push([name, trimBlanks(value)])
  }
  const head = { status: Number(status), headers }
  const offset = headEnd + 4
  const body = readBody(head, bytes.subarray(offset), isHead, ended)
  if ('kind' in body) return body
  return {
    kind: 'response',
    response: { ...head, body: body.content },
    length: offset + body.length,
  }
}

/**
 * The name is a token right before the colon (RFC 9112 section 5.1). White space around the value is not matched: there
 * are too many ways to share it out.
 */
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/

type Head = Omit<WireResponse, 'body'>

interface ResponseBody {
  readonly content: Buffer
  /** How many bytes it takes, with what frames it. */
  readonly length: number
}

/** RFC 9112 section 6.3. */
function readBody(
  head: Head,
  rest: Buffer,
  isHead: boolean,
  ended: boolean,
): ResponseBody | UnreadState {
  if (isHead || head.status < 200 || head.status === 204 || head.status === 304) {
    return { content: Buffer.alloc(0), length: 0 }
  }
  const codings = membersOf(head, 'transfer-encoding')
  if (codings.at(-1)?.toLowerCase() === 'chunked') return readChunks(rest)
  const [declared, ...others] = membersOf(head, 'content-length')
  if (codings.length === 0 && declared !== undefined) {
    if (!/^\d+$/.test(declared) || others.some((other) => other !== declared)) {
      return invalid(`Content-Length is ${quote([declared, ...others].join(', '))}`)
    }
    const length = Number(declared)
    return rest.length < length ? incomplete : { content: rest.subarray(0, length), length }
  }
  // Without a length the body ends with the connection.
  return ended ? { content: rest, length: rest.length } : incomplete
}

/** RFC 9112 section 7.1. */
function readChunks(rest: Buffer): ResponseBody | UnreadState {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return incomplete
    const size = /^([0-9a-f]{1,8})(?:[ \t]*;.*)?$/i.exec(rest.toString('latin1', at, lineEnd))?.[1]
    if (size === undefined) return invalid('a chunk has no size')
    const start = lineEnd + 2
    const end = start + Number.parseInt(size, 16)
    if (end === start) return readTrailer(Buffer.concat(chunks), rest, start)
    if (rest.length < end + 2) return incomplete
    if (rest.toString('latin1', end, end + 2) !== '\r\n') {
      return invalid('a chunk is longer than its size')
    }
    chunks.push(rest.subarray(start, end))
    at = end + 2
  }
}

/** Trailer fields are skipped: no case checks them. */
function readTrailer(content: Buffer, rest: Buffer, start: number): ResponseBody | UnreadState {
  for (let at = start; ;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return incomplete
    if (lineEnd === at) return { content, length: at + 2 }
    const line = rest.toString('latin1', at, lineEnd)
    if (!fieldLine.test(line)) return invalid(`no valid trailer line: ${quote(line)}`)
    at = lineEnd + 2
  }
}

function membersOf(head: Head, name: string): string[] {
  return head.headers
    .filter(([found]) => found.toLowerCase() === name)
    .flatMap(([, value]) => value.split(','))
    .map((member) => member.trim())
    .filter((member) => member !== '')
}

function invalid(reason: string): UnreadState {
  return { kind: 'invalid', reason }
}
