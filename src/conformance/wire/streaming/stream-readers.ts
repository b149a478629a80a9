import { parseContentType } from '../content-type.js'
import { fieldOf, trimBlanks, type FieldLine } from '../exchange.js'
import type { ResponseHead } from '../read-response.js'
import type { EventLog } from './event-log.js'

/** Reads a body as its bytes come, and puts what it finds into a log. */
export interface StreamReader {
  add(chunk: Buffer): void
  /** The body is complete; a socket may end anywhere. */
  end?(): void
}

/** The reader for the media type of a response; undefined if it is not a stream. */
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

/** What is done with the lines of a body, each without its end. */
interface LineListener {
  /** Whether a CR alone ends a line, too, as in text/event-stream. */
  readonly bare: boolean
  readonly onLine: (line: string) => void
  /** At the end: what has no line end after it, or nothing. */
  readonly onRest: (text: string) => void
}

function createLineReader(log: EventLog, { bare, onLine, onRest }: LineListener): StreamReader {
  /** The part of an incomplete line that has arrived, one character a byte. */
  let pending = ''
  let skipsLineFeed = false
  const decodePending = (): string => log.decode(Buffer.from(pending, 'latin1'))
  return {
    add(chunk) {
      const text = chunk.toString('latin1')
      const rest = skipsLineFeed ? text.replace(/^\n/, '') : text
      skipsLineFeed = bare && text.endsWith('\r')
      const [first = '', ...more] = rest.split(bare ? /\r\n?|\n/ : '\n')
      pending += first
      for (const next of more) {
        onLine(decodePending())
        pending = next
      }
    },
    end: () => onRest(decodePending()),
  }
}

/** Reads text/event-stream as the HTML standard says (section 9.2.6). */
function createEventStreamReader(log: EventLog): StreamReader {
  let isFirst = true
  let event: { name?: string; readonly data: string[] } | undefined
  /** An EventSource would drop an event without data; here its absence can be seen. */
  const dispatch = (): void => {
    if (event === undefined) return
    const { name = '', data } = event
    const more = data.length > 0 && { data: data.join('\n') }
    log.add({ kind: 'event', name: name === '' ? 'message' : name, ...more })
    event = undefined
  }
  const onLine = (text: string): void => {
    const line = isFirst ? text.replace(/^\ufeff/, '') : text
    isFirst = false
    if (line === '') return dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return log.add({ kind: 'comment', data: line.slice(1) })
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') (event ??= { data: [] }).name = value
    else if (field === 'data') (event ??= { data: [] }).data.push(value)
    else if (field === 'retry' && !/^\d+$/.test(value)) log.blame('retry is not a number')
  }
  const onRest = (text: string): void => {
    // The standard discards it.
    if (text !== '' || event !== undefined) {
      log.blame('the last event has no blank line after it')
    }
  }
  return createLineReader(log, { bare: true, onLine, onRest })
}

/** Reads application/jsonl: a JSON value a line. Blank lines are skipped. */
function createJsonLinesReader(log: EventLog): StreamReader {
  const onLine = (line: string): void => {
    if (line.trim() !== '') log.add({ kind: 'line', data: line.replace(/\r$/, '') })
  }
  return createLineReader(log, { bare: false, onLine, onRest: onLine })
}

/** When bytes came: those before `end` that no earlier mark covers. */
interface Mark {
  readonly end: number
  readonly at: number
}

/**
 * Reads multipart/mixed (RFC 2046 section 5.1). As for clients, a part is complete once the next delimiter has arrived;
 * `at` is when its own last byte came.
 */
class PartsReader implements StreamReader {
  readonly #log: EventLog
  readonly #delimiter: string
  /** Yields where more bytes are needed. */
  readonly #reading: Generator<void, void>
  #isBegun = false
  /** The bytes behind the last delimiter that was read, one character each. */
  #text = ''
  #marks: Mark[] = []

  constructor(log: EventLog, boundary: string | undefined) {
    this.#log = log
    this.#delimiter = `--${boundary ?? ''}`
    this.#reading = this.#readParts()
    if (boundary === undefined) log.blame('Content-Type has no boundary')
  }

  add(chunk: Uint8Array): void {
    this.#text += Buffer.from(chunk).toString('latin1')
    this.#marks.push({ end: this.#text.length, at: this.#log.now() })
    this.#reading.next()
  }

  end(): void {
    const isComplete = this.#isBegun && this.#text.startsWith('--')
    if (!isComplete) this.#log.blame('the last boundary is missing')
    else if (!/^--[ \t]*(?:\r?\n|$)/.test(this.#text))
      this.#log.blame('a boundary followed by text')
  }

  *#readParts(): Generator<void, void> {
    const start = yield* this.#findDelimiter()
    // Whatever precedes it is a preamble, which is ignored.
    this.#checkLineEnd(this.#text.slice(0, start))
    this.#isBegun = true
    this.#drop(start + this.#delimiter.length)
    for (;;) {
      const end = yield* this.#findDelimiter()
      if (this.#text.startsWith('--')) return
      this.#addPart(this.#text.slice(0, end))
      this.#drop(end + this.#delimiter.length)
    }
  }

  /** Waits for a delimiter, which stands at the beginning of a line. */
  *#findDelimiter(): Generator<void, number> {
    for (let searched = 0; ; yield) {
      let at = this.#text.indexOf(this.#delimiter, searched)
      while (at > 0 && this.#text[at - 1] !== '\n') {
        at = this.#text.indexOf(this.#delimiter, at + 1)
      }
      if (at >= 0) return at
      searched = Math.max(0, this.#text.length - this.#delimiter.length)
    }
  }

  /** `text` has the rest of the delimiter before it, and the line end that belongs to the next one. */
  #addPart(text: string): void {
    const [padding = ''] = /^[ \t]*(?:\r?\n)?/.exec(text) ?? []
    if (!padding.endsWith('\n')) this.#log.blame('a boundary followed by text')
    else if (!padding.endsWith('\r\n')) this.#log.blame('a line ends without CR')
    const own = text.slice(padding.length)
    this.#checkLineEnd(own)
    const part = own.replace(/\r?\n$/, '')
    const lineEnd = part.includes('\r\n') ? '\r\n' : '\n'
    // The first line may be the blank one.
    const lines = lineEnd + part
    const headEnd = lines.indexOf(lineEnd + lineEnd)
    if (headEnd < 0) this.#log.blame('a part has no blank line after its fields')
    const head = lines.slice(lineEnd.length, Math.max(0, headEnd))
    const content = headEnd < 0 ? part : lines.slice(headEnd + 2 * lineEnd.length)
    const data = this.#log.decode(Buffer.from(content, 'latin1'))
    this.#log.add({
      kind: 'part',
      at: this.#arrivalOf(padding.length + Math.max(part.length, 1)),
      knownAt: this.#log.now(),
      headers: head === '' ? [] : head.split(lineEnd).map(toField),
      data,
    })
  }

  #checkLineEnd(before: string): void {
    if (before !== '' && !before.endsWith('\r\n'))
      this.#log.blame('a boundary has no CRLF before it')
  }

  #arrivalOf(offset: number): number {
    return this.#marks.find(({ end }) => end >= offset)?.at ?? this.#log.now()
  }

  #drop(length: number): void {
    this.#text = this.#text.slice(length)
    this.#marks = this.#marks
      .map(({ end, at }) => ({ end: end - length, at }))
      .filter(({ end }) => end > 0)
  }
}

function toField(line: string): FieldLine {
  const colon = line.indexOf(':')
  return colon < 0 ? [line, ''] : [line.slice(0, colon), trimBlanks(line.slice(colon + 1))]
}
