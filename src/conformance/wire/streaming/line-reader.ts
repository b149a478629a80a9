import type { EventLog, StreamReader } from './event-log.js'

/** Splits bytes into lines as they come, each without its end. */
class LineReader {
  readonly #log: EventLog
  readonly #bare: boolean
  /** The part of an incomplete line that has arrived, one character a byte. */
  #pending = ''
  #skipsLineFeed = false

  /** `bare`: a CR alone ends a line, too, as in text/event-stream. */
  constructor(log: EventLog, { bare }: { readonly bare: boolean }) {
    this.#log = log
    this.#bare = bare
  }

  /** The lines that end in these bytes. */
  read(chunk: Uint8Array): string[] {
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

  get isEmpty(): boolean {
    return this.#pending === ''
  }

  /** The part of an incomplete line that has arrived. */
  rest(): string {
    const text = this.#log.decode(Buffer.from(this.#pending, 'latin1'))
    this.#pending = ''
    return text
  }
}

/** Reads text/event-stream as the HTML standard says (section 9.2.6). */
export class EventStreamReader implements StreamReader {
  readonly #log: EventLog
  readonly #lines: LineReader
  #isFirst = true
  #name: string | undefined
  #data: string[] = []

  constructor(log: EventLog) {
    this.#log = log
    this.#lines = new LineReader(log, { bare: true })
  }

  add(chunk: Uint8Array): void {
    for (const line of this.#lines.read(chunk)) {
      this.#readLine(this.#isFirst ? line.replace(/^\ufeff/, '') : line)
      this.#isFirst = false
    }
  }

  end(): void {
    // The standard discards it.
    if (this.#lines.isEmpty && !this.#isBegun) return
    this.#log.blame('the last event has no blank line behind it')
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
  readonly #lines: LineReader

  constructor(log: EventLog) {
    this.#log = log
    this.#lines = new LineReader(log, { bare: false })
  }

  add(chunk: Uint8Array): void {
    for (const line of this.#lines.read(chunk)) this.#take(line)
  }

  end(): void {
    this.#take(this.#lines.rest())
  }

  #take(line: string): void {
    if (line.trim() === '') return
    this.#log.add({ kind: 'line', at: this.#log.now(), data: line.replace(/\r$/, '') })
  }
}
