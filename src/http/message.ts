import type { JsonObject } from '../base/json.js'
import { isPromise, toPromise } from '../base/promise.js'
import { splitList } from './split-list.js'

/** Header lines in order, flat: name, value, name, value. The format of `rawHeaders` and `writeHead`. */
export type HeaderList = readonly string[]

/** The most lines that a handler may allow: hosts need not keep more. */
export const mostHeaderLines = 250

/** The head of a request: everything that comes before the body, as plain data. */
export interface RequestHead<Raw = unknown> {
  readonly method: string
  /** The request target: path and query, or the absolute form. `path` and routes are matched against it. */
  readonly target: string
  /** The target as the client sent it, if a router has removed a prefix from `target`. */
  readonly originalTarget?: string | undefined
  readonly headers: HeaderList
  /** The request of the runtime or the framework, for `context` and `authenticate`, such as an IncomingMessage or a Request. */
  readonly raw: Raw
  /** The payload with which a client opened a WebSocket, in the head that `authenticate` gets: it is not kept. */
  readonly connectionParams?: JsonObject | undefined
  /**
   * Registers a listener that is called once if the client disconnects before the response. It may return a function
   * that removes the listener: an open stream would keep it.
   */
  readonly onClientGone?: ((listener: GoneListener) => (() => void) | void) | undefined
}

/** Returns a promise if the request still has work to do: what the host keeps for it counts until then. */
export type GoneListener = () => PromiseLike<unknown> | void

/** A response as plain data. For HEAD, the host omits the body but keeps the length of a text. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderList
  /** The whole body, as text or as bytes, or one that is written piece by piece. */
  readonly body: string | Uint8Array | StreamBody
}

/** A response whose body is a text. */
export interface TextResponse extends HttpResponse {
  readonly body: string
}

/** A body that is written piece by piece, such as the events of a subscription. */
export interface StreamBody {
  /** Starts the body. A host calls this once, after it has sent the head. */
  open(this: void, sink: Sink): Flow
  /** Called instead of `open` if the body is not sent: for HEAD, or if the client has disconnected. */
  discard(this: void): void
}

/** Whether a body is written piece by piece. */
export function isStream(body: HttpResponse['body']): body is StreamBody {
  return typeof body === 'object' && 'open' in body
}

/** Takes the pieces of a body, and sends them at once. */
export interface Sink {
  /** Returns false if the client reads too slowly: then nothing should be written before `resume`. */
  write(piece: string): boolean
  /** Ends the body. */
  end(): void
  /** Disconnects the client, who sees that the body is not complete. */
  cut(): void
}

/** How a host controls a body that it has opened. */
export interface Flow {
  /** The client has read what was written. */
  resume(): void
  /** The client has disconnected: nothing can be written any more. */
  gone(): void
  /** Ends the stream early, in the way that makes clients of its protocol connect again. */
  shutDown(): void
}

/** A body that a framework has already parsed. The checks of its UTF-8 and its size are skipped. */
export interface ParsedJson {
  readonly json: unknown
}

/** A body as it arrives: read no faster than it is asked for. Ending early stops the reading; a body that is cut off throws. */
export interface BodyChunks extends AsyncIterable<Uint8Array> {
  /** A piece is kept as JSON until the request has a response. Returns false if the host has no room for it. */
  hold?(this: void, piece: Uint8Array): boolean
}

/** A value, or a promise or a lighter thenable, whose callbacks may run in the same tick. */
export type MaybePromise<Value> = Value | PromiseLike<Value>

/** A body that is not received before it is read, once. One that is cut off may never arrive. */
export interface Body {
  /**
   * The whole body. Reading stops at most one piece beyond `maxBytes`: the caller checks the size. A thenable must call back in
   * the asynchronous context in which it was asked for, as promises do.
   */
  read(maxBytes: number): MaybePromise<Uint8Array | ParsedJson | RefusedBody>
  /** The body as it arrives; undefined if only `read` is possible, as behind a middleware that has parsed it. */
  chunks?(): BodyChunks | undefined
  /** What a compressed body was decoded to. Returns false if the host has no room for that. */
  readonly hold?: ((decoded: Uint8Array) => boolean) | undefined
}

/** The response of a host that cannot take a body, for example because it has no memory left for it. */
export interface RefusedBody {
  readonly refused: HttpResponse
}

/** A request: its head, and the body that can be read once the head is accepted. Without one, it is empty. */
export interface Request<Raw = unknown> extends RequestHead<Raw> {
  readonly body?: Body | undefined
}

const nothing: Uint8Array = new Uint8Array(0)

/** Reads the whole body of a request. */
export function readBody(
  { body }: Pick<Request, 'body'>,
  maxBytes: number,
): ReturnType<Body['read']> {
  return body === undefined ? nothing : body.read(maxBytes)
}

/** The head alone, for hooks: they must not read a body that may still be refused. */
export function headOf<Raw>({
  method,
  target,
  originalTarget,
  headers,
  raw,
  onClientGone,
}: Request<Raw>): RequestHead<Raw> {
  return { method, target, originalTarget, headers, raw, onClientGone }
}

/**
 * The handler that `createHandler` makes and hosts call. It does no I/O but to read the body, and never throws or
 * rejects. The response comes in the same tick if nothing waits.
 */
export interface Handler<Raw = unknown> {
  (request: Request<Raw>): HttpResponse | Promise<HttpResponse>
  /** For hosts: delivers the response without a promise. A handler of your own does not need it. */
  readonly deliver?: Deliver<Raw>
}

/**
 * Calls `done` with the response to a request, once; never if the body was cut off. `failed` gets what a handler of
 * your own throws.
 */
export type Deliver<Raw = unknown> = (
  request: Request<Raw>,
  done: (response: HttpResponse) => void,
  failed: (bug: unknown) => void,
) => void

/** The handler that delivers responses in this way. */
export function toHandler<Raw>(deliver: Deliver<Raw>): Handler<Raw> {
  const handler = (request: Request<Raw>): HttpResponse | Promise<HttpResponse> => {
    if (!Array.isArray(request.headers)) {
      throw new TypeError(
        'Wrap a handler for its host: createServer(toNodeListener(handler)) of graphwire/node, or toFetch(handler) of graphwire/fetch.',
      )
    }
    return toPromise((done, failed) => deliver(request, done, failed))
  }
  return Object.assign(handler, { deliver })
}

/** Gets the response of any handler: in the same tick, if nothing waits. */
export function deliverBy<Raw>(
  handler: Handler<Raw>,
  request: Request<Raw>,
  done: (response: HttpResponse) => void,
  failed: (bug: unknown) => void,
): void {
  try {
    if (handler.deliver !== undefined) return handler.deliver(request, done, failed)
    const response = handler(request)
    if (isPromise(response)) Promise.resolve(response).then(done).catch(failed)
    else done(response)
  } catch (bug) {
    failed(bug)
  }
}

/**
 * Returns the value of a field or undefined. Several lines are joined by commas (RFC 9110 section 5.3),
 * those of cookies by semicolons (RFC 9113 section 8.2.3). `name` is in lower case.
 */
export function fieldValue(headers: HeaderList, name: string): string | undefined {
  let value: string | undefined
  for (let at = 0; at < headers.length; at += 2) {
    const candidate = headers[at] as string
    // Comparing lengths first avoids toLowerCase for nearly all other headers.
    if (candidate.length === name.length && candidate.toLowerCase() === name) {
      const separator = name === 'cookie' ? '; ' : ', '
      value = value === undefined ? headers[at + 1] : `${value}${separator}${headers[at + 1]}`
    }
  }
  return value
}

export function* fieldLines(
  headers: HeaderList,
): Generator<readonly [name: string, value: string]> {
  for (let at = 0; at < headers.length; at += 2) {
    yield [headers[at] as string, headers[at + 1] as string]
  }
}

type FieldEntry = readonly [name: string, values?: number | string | readonly string[] | null]

/** The lines of a `Headers` object, or of an object that has a value for each name, or several. */
export function toHeaderList(fields: object): string[] {
  const entries = Symbol.iterator in fields ? fields : Object.entries(fields)
  return [...(entries as Iterable<FieldEntry>)].flatMap(([name, values]) =>
    [values ?? []].flat().flatMap((value) => [name, String(value)]),
  )
}

/** The lines of each field, by its name in small letters. */
export function fieldsOf(
  headers: HeaderList,
): Map<string, { readonly name: string; readonly lines: string[] }> {
  const fields = new Map<string, { readonly name: string; readonly lines: string[] }>()
  for (const [name, value] of fieldLines(headers)) {
    const key = name.toLowerCase()
    const field = fields.get(key)
    if (field === undefined) fields.set(key, { name, lines: [value] })
    else field.lines.push(value)
  }
  return fields
}

/**
 * The content codings of a body except `identity`, in lower case, joined by commas; undefined if there are
 * none.
 */
export function contentCoding(headers: HeaderList): string | undefined {
  const field = fieldValue(headers, 'content-encoding')
  if (field === undefined) return undefined
  const codings = splitList(field.toLowerCase(), ',').filter(
    (coding) => coding !== '' && coding !== 'identity',
  )
  return codings.length === 0 ? undefined : codings.join(', ')
}
