import { maxResponseBytes, membersOf, quote, trimBlanks } from './exchange.js'
import type { FieldLine, WireResponse } from './exchange.js'

export const maxHeadBytes: number = 64 * 1024

export type ResponseHead = Omit<WireResponse, 'body'>

/** The callbacks of a reader. With `onBody`, responses have no body of their own. */
export interface ResponseListener {
  readonly onHead?: (head: ResponseHead) => void
  readonly onBody?: (bytes: Buffer) => void
  readonly onResponse: (response: WireResponse) => void
}

/** Reads the HTTP/1.x responses of a connection as their bytes come (RFC 9112). */
export class ResponseReader {
  readonly #listener: ResponseListener
  /** Yields where more bytes are needed, and for good at a problem. */
  readonly #reading: Generator<void, never>
  /** Whether the next final response is to a HEAD. */
  #isHead: boolean
  #bytes: Buffer = Buffer.alloc(0)
  #body: Buffer[] = []
  /** What the connection has sent in all: many small responses take as much memory as a large one. */
  #total = 0
  #isEnded = false
  /** The first bytes of a response that is not complete. */
  #begin: Buffer | undefined
  #isKept = false
  /** Why no further response is read. */
  problem: string | undefined

  constructor(isHead: boolean, listener: ResponseListener) {
    this.#isHead = isHead
    this.#listener = listener
    this.#reading = this.#readResponses()
  }

  /** The bytes after the last response: the beginning of another one, or anything else. */
  get rest(): Buffer {
    return this.#begin ?? this.#bytes
  }

  /** Whether the connection can be used for another request after the last response (RFC 9112 section 9.3). */
  get isKept(): boolean {
    return this.#isKept && this.rest.length === 0 && this.problem === undefined
  }

  add(bytes: Buffer): void {
    if (this.problem !== undefined) return
    this.#total += bytes.length
    if (this.#total > maxResponseBytes) return this.#failAsLarge('response', maxResponseBytes)
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes])
    this.#reading.next()
  }

  /** To be called when the connection has ended, and with it a body without a length. */
  end(): void {
    this.#isEnded = true
    if (this.problem === undefined) this.#reading.next()
  }

  *#readResponses(): Generator<void, never> {
    for (;;) {
      const { length, ...head } = yield* this.#readHead()
      if (length === 'chunked') yield* this.#readChunks()
      else yield* this.#readContent(length)
      const body = Buffer.concat(this.#body)
      this.#body = []
      this.#begin = undefined
      if (head.status >= 200) this.#isHead = false
      this.#listener.onResponse({ ...head, body })
      // What follows is of another protocol (RFC 9110 section 7.8).
      while (head.status === 101) yield
    }
  }

  *#readHead(): Generator<void, ResponseHead & { readonly length: number | 'chunked' }> {
    const end = yield* this.#find('\r\n\r\n', 'head of the response')
    const [statusLine = '', ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n')
    const [, version, status] = statusLineForm.exec(statusLine) ?? []
    if (status === undefined) return yield* this.#fail(`no valid status line: ${quote(statusLine)}`)
    const headers: FieldLine[] = []
    for (const line of lines) {
      const [, name, value = ''] = fieldLine.exec(line) ?? []
      if (name === undefined) return yield* this.#fail(`no valid header line: ${quote(line)}`)
      headers.push([name, trimBlanks(value)])
    }
    const head = { status: Number(status), headers }
    const length = yield* this.#lengthOf(head)
    const isClosed = length === Infinity || membersOf(head, 'connection').includes('close')
    this.#isKept = version === '1' && !isClosed
    this.#begin = this.#bytes.subarray(0, 100)
    this.#take(end + 4)
    this.#listener.onHead?.(head)
    return { ...head, length }
  }

  /** RFC 9112 section 6.3. A body ends with the connection if its length is infinite. */
  *#lengthOf(head: ResponseHead): Generator<void, number | 'chunked'> {
    const { status } = head
    const codings = membersOf(head, 'transfer-encoding')
    const [declared, ...others] = membersOf(head, 'content-length')
    if (codings.slice(0, -1).includes('chunked')) {
      return yield* this.#fail(`Transfer-Encoding is ${quote(codings.join(', '))}`)
    }
    // Clients that go by the one and by the other would read different responses (RFC 9112 section 6.2).
    if (codings.length > 0 && declared !== undefined) {
      return yield* this.#fail('Content-Length beside Transfer-Encoding')
    }
    if (status === 101 && this.#listener.onBody !== undefined) return Infinity
    if (status < 200 || status === 204 || status === 304 || this.#isHead) return 0
    if (codings.at(-1) === 'chunked') return 'chunked'
    if (declared === undefined) return Infinity
    if (/^\d+$/.test(declared) && others.every((other) => other === declared)) {
      return Number(declared)
    }
    return yield* this.#fail(`Content-Length is ${quote([declared, ...others].join(', '))}`)
  }

  *#readContent(length: number): Generator<void, void> {
    const { onBody = (bytes: Buffer) => this.#body.push(bytes) } = this.#listener
    for (let left = length; left > 0;) {
      const bytes = this.#bytes.subarray(0, left)
      this.#bytes = this.#bytes.subarray(bytes.length)
      left -= bytes.length
      if (bytes.length > 0) onBody(bytes)
      if (left === Infinity && this.#isEnded) return
      if (left > 0) yield
    }
  }

  /** RFC 9112 section 7.1. */
  *#readChunks(): Generator<void, void> {
    for (;;) {
      const line = yield* this.#readLine()
      const size = /^0*([0-9a-f]{1,8})(?:[ \t]*;.*)?$/i.exec(line)?.[1]
      if (size === undefined) return yield* this.#fail('a chunk has no size')
      const length = Number.parseInt(size, 16)
      if (length === 0) break
      yield* this.#readContent(length)
      while (this.#bytes.length < 2) yield
      if (this.#take(2) !== '\r\n') return yield* this.#fail('a chunk is longer than its size')
    }
    // Trailer fields are skipped: no case checks them.
    for (let line = yield* this.#readLine(); line !== ''; line = yield* this.#readLine()) {
      if (!fieldLine.test(line)) yield* this.#fail(`no valid trailer line: ${quote(line)}`)
    }
  }

  *#readLine(): Generator<void, string> {
    const end = yield* this.#find('\r\n', 'line of a chunk')
    return this.#take(end + 2).slice(0, -2)
  }

  /** Waits for some bytes, and returns where they are. */
  *#find(text: string, what: string): Generator<void, number> {
    for (;;) {
      const at = this.#bytes.indexOf(text)
      if ((at < 0 ? this.#bytes.length : at) > maxHeadBytes) this.#failAsLarge(what, maxHeadBytes)
      else if (at >= 0) return at
      yield
    }
  }

  #take(length: number): string {
    const text = this.#bytes.toString('latin1', 0, length)
    this.#bytes = this.#bytes.subarray(length)
    return text
  }

  *#fail(reason: string): Generator<void, never> {
    this.problem = `broken HTTP: ${reason}`
    for (;;) yield
  }

  #failAsLarge(what: string, limit: number): void {
    this.problem = `the ${what} is larger than ${limit} bytes`
    this.#bytes = Buffer.alloc(0)
    this.#body = []
  }
}

/** Without control characters but the tab, as values of fields (RFC 9110 section 5.5). */
const statusLineForm = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t -~\u0080-\u00ff]*)?$/

/**
 * The name is a token right before the colon (RFC 9112 section 5.1). White space around the value is not matched, since that
 * could backtrack.
 */
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~\u0080-\u00ff]*)$/

/** Whether a response comes before the final one. After a 101 no other comes. */
export function isInterim(status: number): boolean {
  return status < 200 && status !== 101
}
