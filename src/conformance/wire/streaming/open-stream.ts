import { parseContentType } from '../content-type.js'
import {
  fieldOf,
  maxResponseBytes,
  trimBlanks,
  type FieldLine,
  type WireResponse,
} from '../exchange.js'
import type { ResponseHead } from '../read-response.js'
import { EventLog, type StreamReader } from './event-log.js'
import { createEventStreamReader, createJsonLinesReader } from './line-reader.js'
import type { ResponseSink, ResponseSource } from './response-source.js'

/** A request whose response is read as it comes. */
export class HttpStream implements ResponseSink {
  readonly log: EventLog = new EventLog()
  readonly sent: string
  readonly #source: ResponseSource
  readonly #toReader: (head: ResponseHead, log: EventLog) => StreamReader | undefined
  readonly #chunks: Uint8Array[] = []
  #size = 0
  #head: ResponseHead | undefined
  #reader: StreamReader | undefined
  #failure: string | undefined

  /** `sent`: the request as text, for people. */
  constructor(
    sent: string,
    send: (sink: ResponseSink) => ResponseSource,
    toReader: (head: ResponseHead, log: EventLog) => StreamReader | undefined = readerFor,
  ) {
    this.sent = sent
    this.#toReader = toReader
    this.#source = send(this)
  }

  /** The status of the response, as soon as its head has come. */
  get status(): number | undefined {
    return this.#head?.status
  }

  /** The response, as far as it has come. */
  get response(): WireResponse | undefined {
    return this.#head && { ...this.#head, body: Buffer.concat(this.#chunks) }
  }

  /** Why nothing more comes. */
  get failure(): string | undefined {
    return this.#failure
  }

  onHead(head: ResponseHead): void {
    if (this.log.changes.isOver) return
    this.#head = head
    this.#reader = this.#toReader(head, this.log)
    this.log.changes.tell()
  }

  onBody(bytes: Buffer): void {
    if (this.log.changes.isOver) return
    this.#size += bytes.length
    if (this.#size > maxResponseBytes) {
      return this.onFailure(`the response is larger than ${maxResponseBytes} bytes`)
    }
    if (this.status !== 101) this.#chunks.push(bytes)
    this.#reader?.add(bytes)
  }

  onEnd(): void {
    if (this.log.changes.isOver) return
    this.#reader?.end?.()
    this.log.end()
  }

  onFailure(reason: string): void {
    this.#failure ??= reason
    this.log.fail(reason)
  }

  /** Gives up the rest of the response. */
  cancel(): void {
    this.log.close()
    this.#source.cancel()
  }

  /** Closes the connection, whatever still comes. */
  destroy(): void {
    this.log.close()
    this.#source.destroy()
  }
}

/** The reader for the media type of a response; undefined if it is no stream. */
export function readerFor({ headers }: ResponseHead, log: EventLog): StreamReader | undefined {
  const type = parseContentType(fieldOf({ headers }, 'content-type') ?? '')
  switch (type?.essence) {
    case 'text/event-stream':
      return createEventStreamReader(log)
    case 'multipart/mixed':
      return new PartsReader(log, type.parameters.get('boundary'))
    case 'application/jsonl':
      return createJsonLinesReader(log)
    default:
      return undefined
  }
}

/** When bytes came: those before `end` that no earlier mark covers. */
interface Mark {
  readonly end: number
  readonly at: number
}

/**
 * Reads multipart/mixed (RFC 2046 section 5.1). As for clients, a part is complete when the delimiter behind it has come;
 * `at` is when its own last byte came.
 */
class PartsReader implements StreamReader {
  readonly #log: EventLog
  readonly #delimiter: string
  #state: 'preamble' | 'delimiter' | 'part' | 'epilogue' = 'preamble'
  /** The bytes that are not read yet, one character each. */
  #text = ''
  #marks: Mark[] = []
  /** How far the text was searched for a delimiter. */
  #searched = 0

  constructor(log: EventLog, boundary: string | undefined) {
    this.#log = log
    this.#delimiter = `--${boundary ?? ''}`
    if (boundary === undefined) log.blame('Content-Type has no boundary')
  }

  add(chunk: Uint8Array): void {
    this.#text += Buffer.from(chunk).toString('latin1')
    this.#marks.push({ end: this.#text.length, at: this.#log.now() })
    while (this.#step());
  }

  end(): void {
    if (this.#state !== 'epilogue') this.#log.blame('the last boundary is missing')
    else if (this.#text.trim() !== '') this.#log.blame('there are bytes behind the last boundary')
  }

  /** Reads one element; false if more bytes are needed. */
  #step(): boolean {
    if (this.#state === 'epilogue') return false
    return this.#state === 'delimiter' ? this.#endDelimiter() : this.#findDelimiter()
  }

  #findDelimiter(): boolean {
    const at = this.#indexOfDelimiter()
    if (at < 0) {
      this.#searched = Math.max(0, this.#text.length - this.#delimiter.length)
      return false
    }
    const before = this.#text.slice(0, at)
    if (this.#state === 'part') this.#addPart(before)
    else if (before !== '' && before !== '\r\n') this.#log.blame('bytes before the first boundary')
    this.#drop(at + this.#delimiter.length)
    this.#state = 'delimiter'
    return true
  }

  /** A delimiter stands at the beginning of a line. */
  #indexOfDelimiter(): number {
    let at = this.#text.indexOf(this.#delimiter, this.#searched)
    while (at > 0 && this.#text[at - 1] !== '\n') {
      at = this.#text.indexOf(this.#delimiter, at + 1)
    }
    return at
  }

  /** Reads what follows a boundary: two hyphens at the end, otherwise the end of the line. */
  #endDelimiter(): boolean {
    if (this.#text.startsWith('--')) {
      this.#drop(2)
      this.#state = 'epilogue'
      return true
    }
    const [padding] = /^[ \t]*(?:\r?\n)?/.exec(this.#text) ?? ['']
    if (!padding.endsWith('\n')) {
      if (this.#text.length > padding.length + 2) this.#log.blame('a boundary with text behind it')
      else return false
    } else if (!padding.endsWith('\r\n')) {
      this.#log.blame('a line ends without CR')
    }
    this.#drop(padding.length)
    this.#state = 'part'
    return true
  }

  /** `text` has the line end that belongs to the delimiter. */
  #addPart(text: string): void {
    if (text !== '' && !text.endsWith('\r\n')) this.#log.blame('a boundary has no CRLF before it')
    const part = text.replace(/\r?\n$/, '')
    const lineEnd = part.includes('\r\n') ? '\r\n' : '\n'
    const headEnd = part.startsWith(lineEnd) ? 0 : part.indexOf(lineEnd + lineEnd)
    if (headEnd < 0) this.#log.blame('a part has no blank line after its fields')
    const head = headEnd < 0 ? '' : part.slice(0, headEnd)
    const skipped = headEnd <= 0 ? (headEnd < 0 ? 0 : lineEnd.length) : headEnd + 2 * lineEnd.length
    const data = this.#log.decode(Buffer.from(part.slice(skipped), 'latin1'))
    this.#log.add({
      kind: 'part',
      at: this.#arrivalOf(Math.max(part.length, 1)),
      knownAt: this.#log.now(),
      headers: head === '' ? [] : head.split(lineEnd).map(toField),
      data,
    })
  }

  /** When the byte before an offset came. */
  #arrivalOf(offset: number): number {
    return this.#marks.find(({ end }) => end >= offset)?.at ?? this.#log.now()
  }

  #drop(length: number): void {
    this.#text = this.#text.slice(length)
    this.#marks = this.#marks
      .map(({ end, at }) => ({ end: end - length, at }))
      .filter(({ end }) => end > 0)
    this.#searched = 0
  }
}

function toField(line: string): FieldLine {
  const colon = line.indexOf(':')
  return colon < 0 ? [line, ''] : [line.slice(0, colon), trimBlanks(line.slice(colon + 1))]
}
