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
export function createEventStreamReader(log: EventLog): StreamReader {
  const lines = new LineReader(log, { bare: true })
  let isFirst = true
  let event: { name?: string; readonly data: string[] } | undefined
  /** An EventSource would drop an event without data; here its absence can be seen. */
  const dispatch = (): void => {
    if (event === undefined) return
    const { name = '', data } = event
    const more = data.length > 0 && { data: data.join('\n') }
    log.add({ kind: 'event', at: log.now(), name: name === '' ? 'message' : name, ...more })
    event = undefined
  }
  const readLine = (line: string): void => {
    if (line === '') return dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return log.add({ kind: 'comment', at: log.now(), data: line.slice(1) })
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') (event ??= { data: [] }).name = value
    else if (field === 'data') (event ??= { data: [] }).data.push(value)
    else if (field === 'retry' && !/^\d+$/.test(value)) log.blame('retry is not a number')
  }
  return {
    add(chunk) {
      for (const line of lines.read(chunk)) {
        readLine(isFirst ? line.replace(/^\ufeff/, '') : line)
        isFirst = false
      }
    },
    end() {
      // The standard discards it.
      if (lines.isEmpty && event === undefined) return
      log.blame('the last event has no blank line after it')
    },
  }
}

/** Reads application/jsonl: a JSON value a line. Blank lines are skipped. */
export function createJsonLinesReader(log: EventLog): StreamReader {
  const lines = new LineReader(log, { bare: false })
  const take = (line: string): void => {
    if (line.trim() === '') return
    log.add({ kind: 'line', at: log.now(), data: line.replace(/\r$/, '') })
  }
  return {
    add(chunk) {
      for (const line of lines.read(chunk)) take(line)
    },
    end: () => take(lines.rest()),
  }
}
