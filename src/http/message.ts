/** Header lines in order, flat: name, value, name, value. What `rawHeaders` is and `writeHead` takes. */
export type HeaderList = readonly string[]

/** The head of a request as plain data: all that is known before its body. */
export interface RequestHead<Raw = unknown> {
  readonly method: string
  /** The request target as it was sent: path and query, or the absolute form. */
  readonly target: string
  readonly headers: HeaderList
  /** The runtime's own request, for `context` and `authenticate`: an IncomingMessage or a Request. */
  readonly raw: Raw
  /** Calls the listener once when the client goes away before it has been answered. */
  readonly onClientGone?: (listener: () => void) => void
}

/** A whole response as plain data. For HEAD the host leaves the body out and keeps its length. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderList
  readonly body: string
}

/** A body that a framework has parsed already; it has lost the checks of its UTF-8 and its size. */
export interface ParsedJson {
  readonly json: unknown
}

/** The head was accepted and the body is wanted: at most `maxBytes` of it. */
export interface WantsBody {
  readonly maxBytes: number
  /** Goes on with the body. A host that reads more than `maxBytes` stops there and passes what it has: 413. */
  readonly proceed: (body: Uint8Array | ParsedJson) => Answer
}

/** A response, at once where nothing had to be waited for. */
export type Answer = HttpResponse | Promise<HttpResponse>

/** What a handler says to a head. A promise only where `authenticate` or execution made one. */
export type Reply = HttpResponse | WantsBody | Promise<HttpResponse | WantsBody>

/** The sans-I/O handler that `createHandler` makes and every host drives. */
export type Handler<Raw = unknown> = (head: RequestHead<Raw>) => Reply

/**
 * The value of a field, its lines joined by commas (RFC 9110 section 5.3), or undefined.
 * `name` is in lower case.
 */
export function fieldValue(headers: HeaderList, name: string): string | undefined {
  let value: string | undefined
  for (let at = 0; at < headers.length; at += 2) {
    const candidate = headers[at] as string
    // The length first: it spares nearly every other header its toLowerCase.
    if (candidate.length === name.length && candidate.toLowerCase() === name) {
      value = value === undefined ? headers[at + 1] : `${value}, ${headers[at + 1]}`
    }
  }
  return value
}

/** The lines of a header list one by one. */
export function* fieldLines(
  headers: HeaderList,
): Generator<readonly [name: string, value: string]> {
  for (let at = 0; at < headers.length; at += 2) {
    yield [headers[at] as string, headers[at + 1] as string]
  }
}

/** Tells the two answers to a head apart. */
export function wantsBody(reply: HttpResponse | WantsBody): reply is WantsBody {
  return 'proceed' in reply
}
