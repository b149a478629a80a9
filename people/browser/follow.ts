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
  /** The key is missing or invalid. */
  | { readonly kind: 'refused' }

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
        const split = createSplitter()
        for (let text = await texts.read(); !text.done; text = await texts.read()) {
          clearTimeout(timer)
          timer = setTimeout(giveUp, maxSilence)
          for (const { id, event: type = 'message', data = '', retry } of split(text.value)) {
            // Also moved by an id without an event.
            lastEventId = id ?? lastEventId
            if (retry !== undefined) pause = Number(retry)
            if (data !== '') onEvent({ type, data, lastEventId })
          }
        }
      } else {
        ;({ status } = response)
        pause = 1_000 * Number(response.headers.get('retry-after')) || usualPause
        await response.body?.cancel()
      }
    } catch {
      // The connection has failed: try again.
    }
    clearTimeout(timer)
    if (stopped.aborted) return
    if (status === 401) return onConnection({ kind: 'refused' })
    onConnection({ kind: 'lost', status })
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Takes pieces of `text/event-stream` as this service writes it, and gives the fields of what each completes. */
export function createSplitter() {
  let rest = ''
  return (piece: string): readonly { readonly [field: string]: string | undefined }[] => {
    const events = (rest + piece).split('\n\n')
    rest = events.pop() ?? ''
    // A comment is a field without a name.
    return events.map((event) =>
      Object.fromEntries(
        event.split('\n').map((line) => [line.split(':', 1)[0], line.replace(/^[^:]*: ?/, '')]),
      ),
    )
  }
}
