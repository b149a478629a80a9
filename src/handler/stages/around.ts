import { andThen, isPromise } from '../../base/promise.js'
import type { HttpResponse } from '../../http/message.js'
import type { OperationRequest } from '../../options/operation-request.js'
import type { Settings } from '../../options/settings.js'
import type { Denial } from '../../over-http/refusal.js'
import { showValue } from '../../shapes/show-value.js'
import { checkDenial } from './check-denial.js'
import type { Exchange } from './exchange.js'
import { stopToResponse, type Kinded, type Stage, type Stop, type Surface } from './stage.js'

/** Puts a hook around stages. */
type Surround<On extends Exchange, Own extends Kinded> = (
  last: readonly Stage<On, Own>[],
) => Stage<On, Own>

/** Puts `around` around the last stages, as one stage; undefined without the hook. */
export function createSurround<On extends Exchange, Own extends Kinded = never>(
  { around }: Settings,
  surface: Surface<On, Own>,
): Surround<On, Own> | undefined {
  if (around === undefined) return undefined
  return (last) => (exchange) => {
    let hasProceeded = false
    const proceed = (): HttpResponse | Promise<HttpResponse> => {
      // The stages fill in the exchange: a second run would mix two executions.
      if (hasProceeded) throw new TypeError('around: proceed can be called only once.')
      hasProceeded = true
      return andThen(runFrom(last, 0, exchange), (stop) =>
        stopToResponse(surface, stop as Stop<Own>, exchange),
      )
    }
    return andThen(around(exchange.request as OperationRequest, proceed), (returned) =>
      stopToResponse<On, Own, HttpResponse>(surface, checkReturned(returned), exchange),
    )
  }
}

/** Runs stages up to the first stop, as long as somebody waits for it. */
function runFrom<On extends Exchange, Own extends Kinded>(
  list: readonly Stage<On, Own>[],
  from: number,
  exchange: On,
): Stop<Own> | undefined | Promise<Stop<Own> | undefined> {
  for (let at = from; at < list.length; at += 1) {
    const stop = (list[at] as Stage<On, Own>)(exchange)
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
  return isResponse(returned) ? returned : checkDenial(returned, 'around')
}

function isResponse(returned: unknown): returned is HttpResponse {
  if (typeof returned !== 'object' || returned === null || 'kind' in returned) return false
  const { status, headers, body } = returned as Partial<HttpResponse>
  if (Number.isInteger(status) && Array.isArray(headers) && body !== undefined) return true
  throw new TypeError(
    `around: expected a response with status, headers and body, such as that of proceed(), got ${showValue(returned)}.`,
  )
}
