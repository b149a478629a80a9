/** An event of a stream, as an EventSource gives it. */
export interface ServerEvent {
  /** `message` if the stream gives no name. */
  readonly type: string
  readonly data: string
  /** Where a client that connects again continues; empty if unknown. */
  readonly lastEventId: string
}

/** The state of the connection. While it is `lost`, the next attempt comes by itself. */
export type Connection =
  | { readonly kind: 'connecting' }
  /** A connection that is not gapless does not continue where the last one ended. */
  | { readonly kind: 'open'; readonly isGapless: boolean }
  /** With the status of the response, if there was one. */
  | { readonly kind: 'lost'; readonly status: number | undefined }
  /** The key is missing, invalid or may not read. */
  | { readonly kind: 'refused'; readonly status: number }

/** Receives what happens on a stream. */
export interface Listener {
  readonly onConnection: (connection: Connection) => void
  readonly onEvent: (event: ServerEvent) => void
}

/** Follows a stream until the returned function is called. An EventSource could not send a key. */
export function follow(url: string, key: string, listener: Listener): () => void {
  const stopping = new AbortController()
  listener.onConnection({ kind: 'connecting' })
  void connectAgain(url, key, listener, stopping.signal)
  return () => stopping.abort()
}

/** Before the next attempt, in milliseconds, unless the service names another time. */
const usualPause = 3_000

/** Without a sign of life for this long, a connection is given up; the service gives one every 12 seconds. */
const maxSilence = 40_000

async function connectAgain(
  url: string,
  key: string,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  let lastEventId = ''
  let wasOpen = false
  while (!signal.aborted) {
    const reader = new EventStreamReader(lastEventId)
    const attempt = new Attempt(signal)
    let status: number | undefined
    let pause = usualPause
    try {
      const response = await fetch(url, {
        headers: headersOf(key, lastEventId),
        cache: 'no-store',
        signal: attempt.signal,
      })
      if (response.ok && response.body !== null) {
        listener.onConnection({ kind: 'open', isGapless: !wasOpen || lastEventId !== '' })
        wasOpen = true
        await readAll(response.body, attempt, (text) => {
          for (const event of reader.push(text)) listener.onEvent(event)
        })
        pause = reader.retry ?? usualPause
      } else {
        ;({ status } = response)
        pause = 1_000 * Number(response.headers.get('retry-after')) || usualPause
        await response.body?.cancel()
      }
    } catch {
      // The connection has failed: try again.
    }
    attempt.end()
    lastEventId = reader.lastEventId
    if (signal.aborted) return
    if (status === 401 || status === 403) return listener.onConnection({ kind: 'refused', status })
    listener.onConnection({ kind: 'lost', status })
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** One connection, which also ends when it has been silent for too long. */
class Attempt {
  readonly #silence = new AbortController()
  #timer: number | undefined
  readonly signal: AbortSignal

  constructor(stopped: AbortSignal) {
    this.signal = AbortSignal.any([stopped, this.#silence.signal])
    this.hear()
  }

  hear(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#silence.abort(), maxSilence)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

function headersOf(key: string, lastEventId: string): HeadersInit {
  return {
    Accept: 'text/event-stream',
    ...(key !== '' && { 'X-API-Key': key }),
    ...(lastEventId !== '' && { 'Last-Event-ID': lastEventId }),
  }
}

async function readAll(
  body: ReadableStream<Uint8Array>,
  attempt: Attempt,
  onText: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder()
  const bytes = body.getReader()
  for (;;) {
    const { done, value } = await bytes.read()
    if (done) return
    attempt.hear()
    onText(decoder.decode(value, { stream: true }))
  }
}

/** Reads `text/event-stream` (HTML, section 9.2.6) in pieces, since an EventSource cannot send a key. */
export class EventStreamReader {
  #rest = ''
  #type = ''
  #data: string[] = []
  #lastEventId: string
  #retry: number | undefined

  constructor(lastEventId: string) {
    this.#lastEventId = lastEventId
  }

  /** Also moved by an id without an event. */
  get lastEventId(): string {
    return this.#lastEventId
  }

  /** How long to wait before connecting again, in milliseconds, if the stream says so. */
  get retry(): number | undefined {
    return this.#retry
  }

  /** Takes a piece of the text, and gives the events that it completes. */
  push(piece: string): readonly ServerEvent[] {
    // A CR at the end may be half of a CRLF.
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line))
  }

  #take(line: string): readonly ServerEvent[] {
    if (line === '') return this.#dispatch()
    const [, field = '', value = ''] = /^([^:]*)(?::[ ]?([^]*))?$/.exec(line) ?? []
    if (field === 'event') this.#type = value
    else if (field === 'data') this.#data.push(value)
    else if (field === 'id' && !value.includes('\0')) this.#lastEventId = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.#retry = Number(value)
    return []
  }

  #dispatch(): readonly ServerEvent[] {
    const data = this.#data.join('\n')
    const type = this.#type || 'message'
    this.#data = []
    this.#type = ''
    return data === '' ? [] : [{ type, data, lastEventId: this.#lastEventId }]
  }
}
