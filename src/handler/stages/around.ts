import { andThen, isPromise } from '../../base/promise.js'
import { isStream, type HttpResponse, type TextResponse } from '../../http/message.js'
import type { OperationRequest } from '../../options/operation-request.js'
import type { Settings } from '../../options/settings.js'
import type { Denial } from '../../over-http/refusal.js'
import { checkLine } from '../../http/response-headers.js'
import { showValue } from '../../shapes/show-value.js'
import { callHook } from './call-hook.js'
import { checkDenial } from './check-denial.js'
import type { Exchange } from './exchange.js'
import { stopToResponse, type Kinded, type Stage, type Stop, type Surface } from './stage.js'

/** Puts a hook around stages. */
type Surround<On extends Exchange, Own extends Kinded, Out extends object> = (
  last: readonly Stage<On, Own, Out>[],
) => Stage<On, Own, Out>

/** What `around` sees of a reply that is no response of its own, and what its response stands for. */
export interface ReplyView<Out extends object> {
  show(this: void, reply: Out): HttpResponse
  /** The body is JSON. */
  take(this: void, response: TextResponse): Out
}

const asIs: ReplyView<HttpResponse> = { show: (reply) => reply, take: (response) => response }

/** Puts `around` around the last stages, as one stage; undefined without the hook. */
export function createSurround<On extends Exchange, Own extends Kinded = never>(
  settings: Settings,
  surface: Surface<On, Own>,
): Surround<On, Own, HttpResponse> | undefined {
  return surroundReplies(settings, surface, asIs)
}

/** The same for operations whose replies are no responses. */
export function surroundReplies<
  On extends Exchange,
  Own extends Kinded = never,
  Out extends object = HttpResponse,
>(
  settings: Settings,
  surface: Surface<On, Own, Out>,
  view: ReplyView<Out>,
): Surround<On, Own, Out> | undefined {
  const { around } = settings
  if (around === undefined) return undefined
  return (last) => (exchange) => {
    let made: { readonly reply: Out; readonly body: HttpResponse['body'] } | undefined
    let hasProceeded = false
    let isLeft = false
    const proceed = (): HttpResponse | Promise<HttpResponse> => {
      // The stages fill in the exchange: a second run would mix two executions.
      if (hasProceeded) throw new TypeError('around: proceed can be called only once.')
      hasProceeded = true
      return andThen(runFrom(last, 0, exchange), (stop) => {
        const reply = stopToResponse(surface, stop as Stop<Own, Out>, exchange)
        const shown = view.show(reply)
        made = { reply, body: shown.body }
        if (isLeft) leave()
        return shown
      })
    }
    /** Nobody opens the stream that was made. Its source must not wait for ever. */
    const leave = (): void => {
      isLeft = true
      if (made !== undefined && isStream(made.body)) made.body.discard()
    }
    const take = (returned: unknown): Out | Denial => {
      const checked = checkReturned(returned)
      if ('kind' in checked) return checked
      if (!isStream(checked.body)) leave()
      // Nobody reads what such a body says.
      if (made?.body !== checked.body) exchange.hasData = undefined
      if ((view as object) === asIs) return checked as Out
      return made?.body === checked.body ? made.reply : view.take(checkText(checked))
    }
    const finish = (decided: Out | Denial): Out => {
      if (!('kind' in decided)) return decided
      leave()
      return surface.refuse(decided, exchange)
    }
    const fail = (bug: unknown): never => {
      leave()
      throw bug
    }
    try {
      const request = exchange.request as OperationRequest
      const decided = callHook((asked) => around(asked, proceed), request, settings, take)
      return isPromise(decided) ? decided.then(finish).catch(fail) : finish(decided)
    } catch (bug) {
      return fail(bug)
    }
  }
}

/** A body of an operation's own, where many share a connection or a response. */
function checkText(response: HttpResponse): TextResponse {
  const { body } = response
  if (typeof body !== 'string' || !isJson(body)) {
    throw new TypeError(
      'around: expected a body of JSON text in a batch or over a WebSocket, or that of the response of proceed().',
    )
  }
  return { ...response, body }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Runs stages up to the first stop, as long as somebody waits for it. */
function runFrom<On extends Exchange, Own extends Kinded, Out extends object>(
  list: readonly Stage<On, Own, Out>[],
  from: number,
  exchange: On,
): Stop<Own, Out> | undefined | Promise<Stop<Own, Out> | undefined> {
  for (let at = from; at < list.length; at += 1) {
    const stop = (list[at] as Stage<On, Own, Out>)(exchange)
    if (stop === undefined) continue
    if (!isPromise(stop)) return stop
    return Promise.resolve(stop).then((late) => {
      exchange.cancellation.throwIfAborted()
      return late ?? runFrom(list, at + 1, exchange)
    })
  }
  return undefined
}

/** What is neither a response nor a denial is a mistake. */
function checkReturned(returned: unknown): HttpResponse | Denial {
  if (!isResponse(returned)) return checkDenial(returned, 'around')
  const { status, headers } = returned
  if (status < 200 || status > 599) {
    throw new TypeError(`around: expected a status from 200 to 599, got ${status}.`)
  }
  for (let at = 0; at < headers.length; at += 2) checkLine(headers[at], headers[at + 1])
  return returned
}

function isResponse(returned: unknown): returned is HttpResponse {
  if (typeof returned !== 'object' || returned === null || 'kind' in returned) return false
  const { status, headers, body } = returned as Partial<HttpResponse>
  if (Number.isInteger(status) && Array.isArray(headers) && body !== undefined) return true
  throw new TypeError(
    `around: expected a response with status, headers and body, such as that of proceed(), got ${showValue(returned)}.`,
  )
}
