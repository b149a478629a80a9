import { isPromise } from '../base/promise.js'
import { isRequestError } from '../graphql/errors/request-error.js'
import type { Handler, HttpResponse, RequestHead, WantsBody } from '../http/message.js'
import { reportBug } from '../options/report.js'
import type { Settings } from '../options/settings.js'
import type { Exchange } from './stages/exchange.js'
import type { Kinded, Stage, Stages, Stop, Surface } from './stages/stage.js'
import { withDeadline } from './stages/deadline.js'
import { createFinisher, type Finisher } from './stages/finish.js'
import { withResolverHeaders, withRouteHeaders } from './stages/layer-headers.js'
import type { LoadGate } from './stages/load-gate.js'

/** What `run` needs. */
export interface Road<On extends Exchange, Own extends Kinded> {
  readonly begin: (head: RequestHead) => On
  readonly stages: Stages<On, Own>
  readonly surface: Surface<On, Own>
  readonly gate: LoadGate
}

/** The stages, and the services that all of them share. */
interface Runner<On extends Exchange, Own extends Kinded> extends Road<On, Own> {
  readonly settings: Settings
  readonly finish: Finisher
}

/** A value or a promise of it, if something waits. */
type Soon<Value> = Value | Promise<Value>

/**
 * Runs a request through its stages. Everything that applies to all stages is here, and only here: a bug
 * becomes a masked 500, waiting is counted and has a time limit, nothing runs once the client has
 * disconnected, and the body is read only after the head has been accepted.
 *
 * Stages that return synchronously create no promises.
 */
export function createRunner<On extends Exchange, Own extends Kinded>(
  settings: Settings,
  road: Road<On, Own>,
): Handler {
  const runner: Runner<On, Own> = { ...road, settings, finish: createFinisher(settings) }
  return (head) => {
    const exchange = runner.begin(head)
    return guard(runner, exchange, runHead)
  }
}

function runHead<On extends Exchange, Own extends Kinded>(
  runner: Runner<On, Own>,
  exchange: On,
): Soon<HttpResponse | WantsBody> {
  const stopped = run(runner, runner.stages.head, exchange)
  if (isPromise(stopped)) return stopped.then((late) => late ?? afterHead(runner, exchange))
  return stopped ?? afterHead(runner, exchange)
}

function afterHead<On extends Exchange, Own extends Kinded>(
  runner: Runner<On, Own>,
  exchange: On,
): Soon<HttpResponse | WantsBody> {
  const { settings, stages } = runner
  if (!exchange.hasBody) return run(runner, stages.url, exchange) as Soon<HttpResponse>
  return {
    maxBytes: settings.maxBodyBytes,
    proceed: (body) => {
      exchange.body = body
      return guard<On, Own, HttpResponse>(runner, exchange, runBody)
    },
  }
}

function runBody<On extends Exchange, Own extends Kinded>(
  runner: Runner<On, Own>,
  exchange: On,
): Soon<HttpResponse> {
  return run(runner, runner.stages.body, exchange) as Soon<HttpResponse>
}

/** Runs a list of stages up to the first stop. Requests that wait are counted, and have a time limit. */
function run<On extends Exchange, Own extends Kinded>(
  runner: Runner<On, Own>,
  list: readonly Stage<On, Own>[],
  exchange: On,
): Soon<HttpResponse | undefined> {
  for (let at = 0; at < list.length; at += 1) {
    const stop = (list[at] as Stage<On, Own>)(exchange)
    if (stop === undefined) continue
    if (!isPromise(stop)) return toResponse(runner, stop, exchange)
    const { settings, surface, gate } = runner
    const inTime = withDeadline(runLate(runner, list, at, exchange, stop), exchange, {
      timeout: settings.executionTimeout,
      cancelled: (cause) => surface.refuse({ kind: 'cancelled', cause }, exchange),
      onBug: (bug) => void reportBug(settings, bug, exchange),
    })
    return gate.during(exchange, inTime)
  }
  return undefined
}

/** The rest of a list from a stage that waits. */
async function runLate<On extends Exchange, Own extends Kinded>(
  runner: Runner<On, Own>,
  list: readonly Stage<On, Own>[],
  from: number,
  exchange: On,
  waiting: PromiseLike<Stop<Own> | undefined>,
): Promise<HttpResponse | undefined> {
  let stop = await waiting
  for (let at = from + 1; ; at += 1) {
    // The client is gone: running the remaining stages would be wasted.
    exchange.cancellation.throwIfAborted()
    if (stop !== undefined) return toResponse(runner, stop, exchange)
    if (at === list.length) return undefined
    const next = (list[at] as Stage<On, Own>)(exchange)
    stop = isPromise(next) ? await next : next
  }
}

function toResponse<On extends Exchange, Own extends Kinded>(
  { surface }: Runner<On, Own>,
  stop: Stop<Own>,
  exchange: On,
): HttpResponse {
  const response = isResponse(stop)
    ? stop
    : isRequestError(stop)
      ? surface.reject(stop, exchange)
      : surface.refuse(stop, exchange)
  const { request, routeHeaders } = exchange
  const set = request?.touchedHeaders
  if (set === undefined && routeHeaders === undefined) return response
  const { headers: base } = response
  const headers = set === undefined ? base : withResolverHeaders(base, set)
  return {
    ...response,
    headers: routeHeaders === undefined ? headers : withRouteHeaders(headers, routeHeaders),
  }
}

/** All other stops have a `kind`. Other members do not distinguish them: a denial may contain any. */
function isResponse(stop: object): stop is HttpResponse {
  return !('kind' in stop)
}

/** Runs code that calls hooks: what they throw is reported with an id and becomes a masked 500. */
function guard<
  On extends Exchange,
  Own extends Kinded,
  Reply extends HttpResponse | WantsBody = HttpResponse | WantsBody,
>(
  runner: Runner<On, Own>,
  exchange: On,
  work: (runner: Runner<On, Own>, exchange: On) => Soon<Reply>,
): Soon<Reply | HttpResponse> {
  let reply: Soon<Reply>
  try {
    reply = work(runner, exchange)
  } catch (bug) {
    return fail(runner, exchange, bug)
  }
  if (!isPromise(reply)) return runner.finish(reply, exchange)
  return reply.then(
    (late) => runner.finish(late, exchange),
    (bug: unknown) => fail(runner, exchange, bug),
  )
}

function fail<On extends Exchange, Own extends Kinded>(
  { settings, surface, finish }: Runner<On, Own>,
  exchange: On,
  bug: unknown,
): HttpResponse {
  const id = reportBug(settings, bug, exchange)
  return finish(surface.refuse({ kind: 'internal', id }, exchange), exchange)
}
