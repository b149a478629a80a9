import { isJsonObject } from '../../base/json.js'
import { andThen, isPromise } from '../../base/promise.js'
import {
  fieldValue,
  isStream,
  type HeaderList,
  type HttpResponse,
  type RequestHead,
} from '../../http/message.js'
import type { ExecutedResponse } from '../../options/result-info.js'
import type { OperationRequest } from '../../options/operation-request.js'
import type { Settings } from '../../options/settings.js'
import type { Denial } from '../../over-http/refusals.js'
import { checkLine } from '../../http/response-headers.js'
import { forClientOnly, withoutStoring } from '../../http/storing.js'
import { hasMethods } from '../../shapes/shapes.js'
import { showValue } from '../../shapes/show-value.js'
import { CancelledError } from '../road/cancelled-error.js'
import type { Facts } from '../road/facts.js'
import { askHook, checkDenial } from './ask-hook.js'
import { stop, walk, type Kinded, type Road, type Stop, type Surface } from '../road/road.js'

/** What `around` sees of a reply, and what the response that it returns stands for. */
export interface ReplyView<Out extends object> {
  readonly via: OperationRequest['via']
  show(this: void, reply: Out): HttpResponse
  /** `made` is the reply of `proceed`, if the response still has its body. */
  take(this: void, response: HttpResponse, made: Out | undefined): Out
}

/** For replies that are responses. Other surfaces than GraphQL over HTTP have another `via`. */
export const asIs: ReplyView<HttpResponse> = {
  via: 'http',
  show: (reply) => reply,
  take: (response) => response,
}

/** The last part of a road: what `around` surrounds. */
interface Inner<Out extends object, Why extends Kinded> {
  readonly road: Road<Out, Why>
  readonly surface: Surface<Out, Why>
  readonly view: ReplyView<Out>
}

/** Runs the last part of a road inside of `around`, which may be inside of another one. */
export function* surround<Out extends object, Why extends Kinded = Stop>(
  inner: Inner<Out, Why>,
  request: OperationRequest,
  around: Settings['around'][number],
  settings: Settings,
  facts: Facts,
  isInner: boolean,
): Road<Out, Why | Denial> {
  facts.at = 'around'
  const visit = new Visit(inner, facts, settings.executionTimeout, isInner)
  let reply: Out | undefined
  try {
    const returned = yield* askHook(
      (asked: OperationRequest) => visit.follow(around(asked, () => visit.proceed())),
      request,
      settings,
    )
    if ('kind' in returned) return yield* stop(returned)
    return (reply = returned)
  } finally {
    if (reply === undefined) visit.end()
  }
}

/** One call of `around`. A stream that the hook drops is discarded, so that its source does not wait for ever. */
class Visit<Out extends object, Why extends Kinded> {
  readonly #inner: Inner<Out, Why>
  readonly #facts: Facts
  readonly #timeout: number
  /** Whether another hook is around it. */
  readonly #isInner: boolean
  #hasProceeded = false
  #isLate = false
  #isAnswered = false
  #running: Promise<unknown> | undefined
  #made: { readonly reply: Out; readonly shown: ExecutedResponse } | undefined
  /** What the hook has returned. */
  #taken: HttpResponse['body'] = ''
  /** A stream of `proceed` is not sent, as the hook has another response, or the road has ended. */
  #isDropped = false

  constructor(inner: Inner<Out, Why>, facts: Facts, timeout: number, isInner: boolean) {
    this.#inner = inner
    this.#facts = facts
    this.#timeout = timeout
    this.#isInner = isInner
  }

  proceed(): ExecutedResponse | Promise<ExecutedResponse> {
    // A second run would mix two executions.
    if (this.#hasProceeded) throw new TypeError('around: proceed can be called only once.')
    // What an outer hook gave the operation, such as a transaction, may belong to another user before it is over.
    if (this.#isAnswered && this.#isInner) throw new Error(tooLate)
    this.#hasProceeded = true
    const { road, surface } = this.#inner
    const walked = walk(road, surface, this.#facts, this.#isLate)
    const shown = andThen(walked, (reply) => this.#show(reply))
    // `around` may wait for something else first, while the client leaves: unhandled, that would end the process.
    if (!isPromise(shown)) return shown
    shown.catch(() => undefined)
    this.#running = shown
    return this.#isAnswered ? this.#inTime(shown) : shown
  }

  follow(returned: unknown): Out | Denial | Promise<Out | Denial> {
    this.#isLate = true
    return andThen(returned, (response) => this.#take(response))
  }

  /** What runs behind the response has the time that requests have, though its driver has ended. */
  #inTime<Value>(running: Promise<Value>): Promise<Value> {
    const { cancellation, timeout = this.#timeout } = this.#facts
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        cancellation.cancel(new CancelledError('timed-out'))
        reject(cancellation.reason)
      }, timeout)
      running.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }

  /** The road ends without a reply: if `proceed` has made one, because of the hook. */
  end(): void {
    if (this.#made !== undefined) this.#facts.at = 'around'
    this.#drop()
    this.#discard(this.#taken)
    this.#leave()
  }

  /** What still runs goes on behind the response. */
  #leave(): void {
    this.#isAnswered = true
    const isOver = this.#made !== undefined || this.#facts.cancellation.aborted
    if (this.#running === undefined || isOver) return
    this.#inTime(this.#running).catch(() => undefined)
  }

  #drop(): void {
    this.#isDropped = true
    if (this.#made !== undefined) this.#discard(this.#made.shown.body)
  }

  #discard(body: HttpResponse['body']): void {
    if (!isStream(body)) return
    this.#facts.isStreamDropped = true
    body.discard()
  }

  #show(reply: Out): ExecutedResponse {
    const { status, headers, body } = this.#inner.view.show(reply)
    // The hook returns another list, so that its cookies are seen.
    const shown = { status, headers: Object.freeze(headers), body, errors: this.#facts.errors }
    this.#made = { reply, shown }
    if (this.#isDropped) this.#discard(body)
    return shown
  }

  #take(returned: unknown): Out | Denial {
    this.#leave()
    if (isHttpResponse(returned)) this.#taken = returned.body
    const checked = checkReturned(returned)
    if ('kind' in checked) return checked
    const { status, body } = checked
    const { reply, shown } = this.#made ?? {}
    const headers = withoutStoringCookies(checked.headers, shown?.headers)
    if (this.#isDropped) this.#discard(body)
    if (!isStream(body)) this.#drop()
    const made = shown?.body === body ? reply : undefined
    if (made !== undefined) return this.#inner.view.take({ status, headers, body }, made)
    // The body of the hook is not parsed.
    this.#facts.hasData = undefined
    const own = { status, headers: withDefaultCaching(headers, this.#facts.head), body }
    return this.#inner.view.take(own, undefined)
  }
}

const tooLate =
  'around: proceed was called after the response, inside another hook. Put this extension first in `use`.'

/** A hook's own response to a GET may be for this client alone, while caches could assume a lifetime. */
function withDefaultCaching(headers: HeaderList, { method }: RequestHead): HeaderList {
  return method === 'POST' || fieldValue(headers, 'cache-control') !== undefined
    ? headers
    : [...headers, 'Cache-Control', forClientOnly]
}

/** A hook that sets a cookie sets `Cache-Control` itself, or nothing may store the response. */
function withoutStoringCookies(headers: HeaderList, before: HeaderList = []): HeaderList {
  const isChanged = (name: string): boolean =>
    fieldValue(headers, name) !== fieldValue(before, name)
  return isChanged('set-cookie') && !isChanged('cache-control') ? withoutStoring(headers) : headers
}

/** The body of an operation's own response on one line, where many share a connection or a response. */
export function jsonOf({ body }: HttpResponse): string {
  if (typeof body !== 'string' || !isResult(body)) {
    throw new TypeError(
      'around: expected the JSON text of a result in a batch or over a WebSocket, or the body of proceed().',
    )
  }
  // In JSON, line breaks can only be between tokens.
  return body.trim().replaceAll(/[\n\r]/g, ' ')
}

function isResult(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text)
    return isJsonObject(json) && Object.keys(json).length > 0
  } catch {
    return false
  }
}

/** Throws for anything but a response or a denial. */
function checkReturned(returned: unknown): HttpResponse | Denial {
  const isObject = typeof returned === 'object' && returned !== null
  if (!isObject || 'kind' in returned) return checkDenial(returned, 'around')
  if (!isHttpResponse(returned)) {
    throw new TypeError(
      `around: expected a response with status, headers and body, such as that of proceed(), got ${showValue(returned)}.`,
    )
  }
  checkSendable('around', returned)
  return returned
}

/** Throws for a status or a header that a function of the user may not choose. */
export function checkSendable(by: string, { status, headers }: HttpResponse): void {
  // RFC 9110 section 15.3.6: a 205 has no content, but hosts would send the body.
  if (status < 200 || status > 599 || status === 205) {
    throw new TypeError(`${by}: expected a status from 200 to 599 other than 205, got ${status}.`)
  }
  for (let at = 0; at < headers.length; at += 2) checkLine(headers[at], headers[at + 1])
}

/** Whether a host could send it: code without types can return anything. */
export function isHttpResponse(value: unknown): value is HttpResponse {
  const { status, headers, body } = (value ?? {}) as Partial<HttpResponse>
  const isBody = typeof body === 'string' || body instanceof Uint8Array || hasMethods(body, 'open')
  return isBody && Number.isInteger(status) && Array.isArray(headers)
}
