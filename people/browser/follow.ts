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

/** Before the next attempt, in milliseconds, unless the service names another time. */
const usualPause = 3_000

/** Without a sign of life for this long, a connection is given up; the service gives one every 12 seconds. */
const maxSilence = 40_000

/** Follows a stream until the signal stops it. An EventSource could not send a key. */
export async function follow(
  url: string,
  key: string,
  { onConnection, onEvent }: Listener,
  stopped: AbortSignal,
): Promise<void> {
  onConnection({ kind: 'connecting' })
  let lastEventId = ''
  let wasOpen = false
  for (;;) {
    const reader = new EventStreamReader(lastEventId)
    const silence = new AbortController()
    const giveUp = (): void => silence.abort()
    let timer = setTimeout(giveUp, maxSilence)
    let status: number | undefined
    let pause = usualPause
    try {
      const response = await fetch(url, {
        headers: {
          Accept: 'text/event-stream',
          ...(key !== '' && { 'X-API-Key': key }),
          ...(lastEventId !== '' && { 'Last-Event-ID': lastEventId }),
        },
        cache: 'no-store',
        signal: AbortSignal.any([stopped, silence.signal]),
      })
      if (response.ok && response.body !== null) {
        onConnection({ kind: 'open', isGapless: !wasOpen || lastEventId !== '' })
        wasOpen = true
        const texts = response.body.pipeThrough(new TextDecoderStream()).getReader()
        for (let text = await texts.read(); !text.done; text = await texts.read()) {
          clearTimeout(timer)
          timer = setTimeout(giveUp, maxSilence)
          for (const event of reader.push(text.value)) onEvent(event)
        }
        pause = reader.retry ?? usualPause
      } else {
        ;({ status } = response)
        pause = 1_000 * Number(response.headers.get('retry-after')) || usualPause
        await response.body?.cancel()
      }
    } catch {
      // The connection has failed: try again.
    }
    clearTimeout(timer)
    ;({ lastEventId } = reader)
    if (stopped.aborted) return
    if (status === 401 || status === 403) return onConnection({ kind: 'refused', status })
    onConnection({ kind: 'lost', status })
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Reads `text/event-stream` (HTML, section 9.2.6) in pieces. */
export class EventStreamReader {
  /** Also moved by an id without an event. */
  lastEventId: string
  /** How long to wait before connecting again, in milliseconds, if the stream says so. */
  retry: number | undefined
  #rest = ''
  #type = ''
  #data: string[] = []

  constructor(lastEventId: string) {
    this.lastEventId = lastEventId
  }

  /** Takes a piece of the text, and gives the events that it completes. */
  push(piece: string): readonly ServerEvent[] {
    // A CR at the end may be half of a CRLF.
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line))
  }

  #take(line: string): readonly ServerEvent[] {
    if (line === '') {
      const event = { type: this.#type || 'message', data: this.#data.join('\n') }
      this.#data = []
      this.#type = ''
      return event.data === '' ? [] : [{ ...event, lastEventId: this.lastEventId }]
    }
    const [, field = '', value = ''] = /^([^:]*)(?::[ ]?([^]*))?$/.exec(line) ?? []
    if (field === 'event') this.#type = value
    else if (field === 'data') this.#data.push(value)
    else if (field === 'id' && !value.includes('\0')) this.lastEventId = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value)
    return []
  }
}
