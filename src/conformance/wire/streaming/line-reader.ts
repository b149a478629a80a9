import type { EventLog, StreamReader } from './event-log.js'

/** A line without its end; `fault` if it is not well-formed UTF-8. */
export interface Line {
  readonly text: string
  readonly fault?: string
}

/** Splits bytes into lines as they come. */
class LineReader {
  readonly #bare: boolean
  /** The part of an incomplete line that has arrived, one character a byte. */
  #pending = ''
  #skipsLineFeed = false

  /** `bare`: a CR alone ends a line, too, as in text/event-stream. */
  constructor({ bare }: { readonly bare: boolean }) {
    this.#bare = bare
  }

  /** The lines that end in these bytes. */
  read(chunk: Uint8Array): Line[] {
    const text = Buffer.from(chunk).toString('latin1')
    const rest = this.#skipsLineFeed ? text.replace(/^\n/, '') : text
    this.#skipsLineFeed = this.#bare && text.endsWith('\r')
    const [first = '', ...more] = rest.split(this.#bare ? /\r\n?|\n/ : '\n')
    this.#pending += first
    return more.map((next) => {
      const line = this.rest()
      this.#pending = next
      return line
    })
  }

  /** The part of an incomplete line that has arrived. */
  rest(): Line {
    const bytes = Buffer.from(this.#pending, 'latin1')
    this.#pending = ''
    return decodeText(bytes)
  }
}

/** The text of bytes in UTF-8; what is malformed is replaced, and named. */
export function decodeText(bytes: Uint8Array): Line {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { text: Buffer.from(bytes).toString('utf8'), fault: 'not well-formed UTF-8' }
  }
}

/** Reads text/event-stream as the HTML standard says (section 9.2.6). */
export class EventStreamReader implements StreamReader {
  readonly #log: EventLog
  readonly #lines = new LineReader({ bare: true })
  #isFirst = true
  #name: string | undefined
  #data: string[] = []

  constructor(log: EventLog) {
    this.#log = log
  }

  add(chunk: Uint8Array): void {
    for (const { text, fault } of this.#lines.read(chunk)) {
      if (fault !== undefined) this.#log.blame(fault)
      this.#readLine(this.#isFirst ? text.replace(/^\ufeff/, '') : text)
      this.#isFirst = false
    }
  }

  end(): void {
    const { text } = this.#lines.rest()
    // The standard discards it.
    if (text !== '' || this.#isBegun) this.#log.blame('the last event has no blank line behind it')
  }

  get #isBegun(): boolean {
    return this.#name !== undefined || this.#data.length > 0
  }

  #readLine(line: string): void {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const at = this.#log.now()
    if (colon === 0) return this.#log.add({ kind: 'comment', at, data: line.slice(1) })
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') this.#name = value
    else if (field === 'data') this.#data.push(value)
    else if (field === 'retry' && !/^\d+$/.test(value)) this.#log.blame('retry is not a number')
  }

  /** An EventSource would drop an event without data; here its absence can be seen. */
  #dispatch(): void {
    if (!this.#isBegun) return
    const data = this.#data.length === 0 ? undefined : this.#data.join('\n')
    this.#log.add({
      kind: 'event',
      at: this.#log.now(),
      name: this.#name === undefined || this.#name === '' ? 'message' : this.#name,
      ...(data !== undefined && { data }),
    })
    this.#name = undefined
    this.#data = []
  }
}

/** Reads application/jsonl: a JSON value a line. Blank lines are skipped. */
export class JsonLinesReader implements StreamReader {
  readonly #log: EventLog
  readonly #lines = new LineReader({ bare: false })

  constructor(log: EventLog) {
    this.#log = log
  }

  add(chunk: Uint8Array): void {
    for (const line of this.#lines.read(chunk)) this.#take(line)
  }

  end(): void {
    this.#take(this.#lines.rest())
  }

  #take({ text, fault }: Line): void {
    if (fault !== undefined) this.#log.blame(fault)
    if (text.trim() === '') return
    this.#log.add({ kind: 'line', at: this.#log.now(), data: text.replace(/\r$/, '') })
  }
}
