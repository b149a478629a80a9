import { isRequestError, type RequestError } from '../../graphql/errors/request-error.js'
import type { HttpResponse } from '../../http/message.js'
import type { Refusal } from '../../over-http/refusal.js'
import type { Exchange } from './exchange.js'

/**
 * Why a request goes no further: a refusal, a request error, or a response. `Own` are the refusals that a
 * surface adds to those of HTTP, and `Out` is its response, which has no `kind`.
 */
export type Stop<Own extends Kinded = never, Out extends object = HttpResponse> =
  | Own
  | Refusal
  | RequestError
  | Out

/** Only refusals have a `kind`. */
export interface Kinded {
  readonly kind: string
}

/** One step of a request: fills in the exchange and returns nothing, or returns the stop. */
export type Stage<
  On extends Exchange = Exchange,
  Own extends Kinded = never,
  Out extends object = HttpResponse,
> = (exchange: On) => Stop<Own, Out> | undefined | PromiseLike<Stop<Own, Out> | undefined>

/** Some stages by name, in the order in which they run: that of the members. */
export type NamedStages<
  Name extends string,
  On extends Exchange = Exchange,
  Own extends Kinded = never,
  Out extends object = HttpResponse,
> = { readonly [name in Name]?: Stage<On, Own, Out> }

/** The stages alone. */
export function inOrder<On extends Exchange, Own extends Kinded, Out extends object>(
  named: NamedStages<string, On, Own, Out>,
): readonly Stage<On, Own, Out>[] {
  return Object.values(named).filter((stage) => stage !== undefined)
}

/** Every stage of a request, in order. The last of `body` and of `url` returns the response. */
export interface Stages<On extends Exchange, Own extends Kinded = never> {
  /** For the head, before the body is read. */
  readonly head: readonly Stage<On, Own>[]
  /** After it, for requests with a body, once that is there. */
  readonly body: readonly Stage<On, Own>[]
  /** After it, for requests with their parameters in the URL. */
  readonly url: readonly Stage<On, Own>[]
}

/** How refusals and request errors become responses. */
export interface Surface<
  On extends Exchange,
  Own extends Kinded = never,
  Out extends object = HttpResponse,
> {
  refuse(this: void, refusal: Own | Refusal, exchange: On): Out
  reject(this: void, error: RequestError, exchange: On): Out
}

/** The response that a stop stands for. Only a response has no `kind`; a denial may contain any other member. */
export function stopToResponse<On extends Exchange, Own extends Kinded, Out extends object>(
  surface: Surface<On, Own, Out>,
  stop: Stop<Own, Out>,
  exchange: On,
): Out {
  if (!('kind' in stop)) return stop
  return isRequestError(stop) ? surface.reject(stop, exchange) : surface.refuse(stop, exchange)
}
