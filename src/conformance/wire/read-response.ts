import { quote } from './quote.js'
import { maxResponseBytes, membersOf, trimBlanks } from './exchange.js'
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
  /** Whether the next final response is to a HEAD. */
  #isHead: boolean
  #part: 'head' | 'content' | 'rest' | 'size' | 'chunk' | 'chunk-end' | 'trailer' | 'switched' =
    'head'
  #bytes: Buffer = Buffer.alloc(0)
  /** What the connection has sent in all: many small responses take as much memory as a large one. */
  #total = 0
  #head: ResponseHead = { status: 0, headers: [] }
  #begin: Buffer = Buffer.alloc(0)
  #body: Buffer[] = []
  /** How many bytes of the content or the chunk are still to come. */
  #left = 0
  #isKept = false
  #problem: string | undefined

  constructor(isHead: boolean, listener: ResponseListener) {
    this.#isHead = isHead
    this.#listener = listener
  }

  /** Why no further response is read. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** The bytes after the last response: the beginning of another one, or anything else. */
  get rest(): Buffer {
    return this.#part === 'head' || this.#part === 'switched' ? this.#bytes : this.#begin
  }

  /** Whether the connection can be used for another request after the last response (RFC 9112 section 9.3). */
  get isKept(): boolean {
    return this.#isKept && this.rest.length === 0 && this.#problem === undefined
  }

  add(bytes: Buffer): void {
    if (this.#problem !== undefined) return
    this.#total += bytes.length
    if (this.#total > maxResponseBytes) return void this.#failAsLarge('response', maxResponseBytes)
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes])
    while (this.#problem === undefined && this.#step());
  }

  /** To be called when the connection has ended, and with it a body without a length. */
  end(): void {
    if (this.#part === 'rest') this.#finish()
  }

  /** Reads the next element; false if more bytes are needed. */
  #step(): boolean {
    switch (this.#part) {
      case 'head':
        return this.#readHead()
      case 'content':
      case 'chunk':
      case 'rest':
        return this.#readContent()
      case 'chunk-end':
        if (this.#bytes.length < 2) return false
        if (this.#take(2) !== '\r\n') return this.#fail('a chunk is longer than its size')
        this.#part = 'size'
        return true
      case 'size':
        return this.#readLine((line) => this.#readSize(line))
      case 'trailer':
        // Trailer fields are skipped: no case checks them.
        return this.#readLine((line) => {
          if (line === '') return this.#finish()
          return fieldLine.test(line) || this.#fail(`no valid trailer line: ${quote(line)}`)
        })
      case 'switched':
        return false
    }
  }

  #readHead(): boolean {
    const end = this.#bytes.indexOf('\r\n\r\n')
    if ((end < 0 ? this.#bytes.length : end) > maxHeadBytes) {
      return this.#failAsLarge('head of the response', maxHeadBytes)
    }
    if (end < 0) return false
    const [statusLine = '', ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n')
    const [, version, status] = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: .*)?$/.exec(statusLine) ?? []
    if (status === undefined) return this.#fail(`no valid status line: ${quote(statusLine)}`)
    const headers: FieldLine[] = []
    for (const line of lines) {
      const [, name, value = ''] = fieldLine.exec(line) ?? []
      if (name === undefined) return this.#fail(`no valid header line: ${quote(line)}`)
      headers.push([name, trimBlanks(value)])
    }
    this.#head = { status: Number(status), headers }
    this.#isKept = version === '1' && !membersOf(this.#head, 'connection').includes('close')
    return this.#beginBody(end + 4)
  }

  /** RFC 9112 section 6.3. */
  #beginBody(headLength: number): boolean {
    const { status } = this.#head
    if (status === 101 && this.#listener.onBody !== undefined) {
      // All that follows is of another protocol (RFC 9110 section 7.8).
      this.#take(headLength)
      this.#listener.onHead?.(this.#head)
      this.#part = 'rest'
      return true
    }
    const [declared, ...others] = membersOf(this.#head, 'content-length')
    const codings = membersOf(this.#head, 'transfer-encoding')
    const isBare = status < 200 || status === 204 || status === 304 || this.#isHead
    const isChunked = codings.at(-1) === 'chunked'
    const isCounted = codings.length === 0 && declared !== undefined
    if (isCounted && !isBare && !isLength(declared, others)) {
      return this.#fail(`Content-Length is ${quote([declared, ...others].join(', '))}`)
    }
    this.#begin = this.#bytes.subarray(0, 100)
    this.#take(headLength)
    this.#listener.onHead?.(this.#head)
    if (isBare) return this.#finish()
    this.#left = isCounted ? Number(declared) : 0
    this.#part = isChunked ? 'size' : isCounted ? 'content' : 'rest'
    if (this.#part === 'rest') this.#isKept = false
    return this.#part !== 'content' || this.#left > 0 || this.#finish()
  }

  #readContent(): boolean {
    const isRest = this.#part === 'rest'
    const length = isRest ? this.#bytes.length : Math.min(this.#left, this.#bytes.length)
    if (length === 0) return false
    const bytes = this.#bytes.subarray(0, length)
    this.#bytes = this.#bytes.subarray(length)
    this.#left -= length
    if (this.#listener.onBody === undefined) this.#body.push(bytes)
    else this.#listener.onBody(bytes)
    if (isRest || this.#left > 0) return false
    if (this.#part === 'content') return this.#finish()
    this.#part = 'chunk-end'
    return true
  }

  /** RFC 9112 section 7.1. */
  #readSize(line: string): boolean {
    const size = /^([0-9a-f]{1,8})(?:[ \t]*;.*)?$/i.exec(line)?.[1]
    if (size === undefined) return this.#fail('a chunk has no size')
    this.#left = Number.parseInt(size, 16)
    this.#part = this.#left === 0 ? 'trailer' : 'chunk'
    return true
  }

  #readLine(read: (line: string) => boolean): boolean {
    const end = this.#bytes.indexOf('\r\n')
    if (end >= 0) return read(this.#take(end + 2).slice(0, -2))
    return this.#bytes.length > maxHeadBytes && this.#failAsLarge('line of a chunk', maxHeadBytes)
  }

  #finish(): boolean {
    const { status } = this.#head
    this.#part = status === 101 ? 'switched' : 'head'
    if (status >= 200) this.#isHead = false
    const body = Buffer.concat(this.#body)
    this.#body = []
    this.#listener.onResponse({ ...this.#head, body })
    return true
  }

  #take(length: number): string {
    const text = this.#bytes.toString('latin1', 0, length)
    this.#bytes = this.#bytes.subarray(length)
    return text
  }

  #fail(reason: string): false {
    this.#problem = `broken HTTP: ${reason}`
    return false
  }

  #failAsLarge(what: string, limit: number): false {
    this.#problem = `the ${what} is larger than ${limit} bytes`
    this.#bytes = Buffer.alloc(0)
    this.#body = []
    return false
  }
}

/**
 * The name is a token right before the colon (RFC 9112 section 5.1). White space around the value is not matched, since that
 * could backtrack.
 */
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/

function isLength(declared: string, others: readonly string[]): boolean {
  return /^\d+$/.test(declared) && others.every((other) => other === declared)
}

/** Whether a response comes before the final one. After a 101 no other comes. */
export function isInterim(status: number): boolean {
  return status < 200 && status !== 101
}
