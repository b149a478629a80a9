import { andThen, isPromise } from '../base/promise.js'
import { isStream, type HttpResponse, type Reply, type WantsBody } from '../http/message.js'
import { reportBug } from '../options/report.js'
import type { Settings } from '../options/settings.js'
import type { Exchange } from './stages/exchange.js'
import {
  stopToResponse,
  type Kinded,
  type Stage,
  type Stages,
  type Stop,
  type Surface,
} from './stages/stage.js'
import { withDeadline, withinDeadline } from './stages/deadline.js'
import { createFinisher } from './stages/finish.js'
import { withLayers } from './stages/layer-headers.js'
import type { LoadGate } from './stages/load-gate.js'

/** What differs between surfaces: their exchanges, refusals and responses. */
export interface Road<On extends Exchange, Own extends Kinded, Out extends object> {
  readonly surface: Surface<On, Own, Out>
  /** Undefined for a part of a request, which is counted and has its time limit as a whole. */
  readonly gate: LoadGate | undefined
  /** Completes a response that the stages made, such as by the headers that resolvers have set. */
  readonly complete: (response: Out, exchange: On) => Out
  /** Called with each response, failures included. */
  readonly finish: (response: Out, exchange: On) => Out
  /** Gets a response that came too late, and may hold something open. */
  readonly discard: (late: Out) => void
}

/** A road of HTTP: with a head and a body. */
export interface HttpRoad<On extends Exchange, Own extends Kinded> {
  readonly stages: Stages<On, Own>
  readonly surface: Surface<On, Own>
  readonly gate: LoadGate
}

/** The stages, and the services that all of them share. */
interface Runner<On extends Exchange, Own extends Kinded, Out extends object> extends Road<
  On,
  Own,
  Out
> {
  readonly settings: Settings
}

interface HttpRunner<On extends Exchange, Own extends Kinded> extends Runner<
  On,
  Own,
  HttpResponse
> {
  readonly stages: Stages<On, Own>
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
  road: HttpRoad<On, Own>,
): (exchange: On) => Reply {
  const finish = createFinisher(settings)
  const runner: HttpRunner<On, Own> = {
    ...road,
    settings,
    complete: withLayers,
    finish,
    discard: discardStream,
  }
  return (exchange) => guard(runner, exchange, runHead<On, Own>)
}

/** The same for operations that are not requests of HTTP: one list of stages, whose last gives the response. */
export function createOperationRunner<On extends Exchange, Out extends object>(
  settings: Settings,
  stages: readonly Stage<On, never, Out>[],
  road: Road<On, never, Out>,
): (exchange: On) => Soon<Out> {
  const runner: Runner<On, never, Out> = { ...road, settings }
  const runAll = (_: typeof runner, exchange: On): Soon<Out> =>
    run(runner, stages, exchange) as Soon<Out>
  return (exchange) => guard(runner, exchange, runAll) as Soon<Out>
}

function runHead<On extends Exchange, Own extends Kinded>(
  runner: HttpRunner<On, Own>,
  exchange: On,
): Soon<HttpResponse | WantsBody> {
  const stopped = run(runner, runner.stages.head, exchange)
  if (isPromise(stopped)) return stopped.then((late) => late ?? afterHead(runner, exchange))
  return stopped ?? afterHead(runner, exchange)
}

function afterHead<On extends Exchange, Own extends Kinded>(
  runner: HttpRunner<On, Own>,
  exchange: On,
): Soon<HttpResponse | WantsBody> {
  const { settings, stages } = runner
  if (!exchange.hasBody) return run(runner, stages.url, exchange) as Soon<HttpResponse>
  const proceed = (body: Exchange['body']): Soon<HttpResponse> => {
    exchange.body = body
    return guard(runner, exchange, runBody<On, Own>) as Soon<HttpResponse>
  }
  const { maxBodyBytes, uploads } = settings
  if (uploads === undefined || exchange.boundary === undefined) {
    return { maxBytes: maxBodyBytes, proceed }
  }
  // Nothing is read once there is a response, whatever made it.
  const proceedAndClose = (body: Exchange['body']): Soon<HttpResponse> =>
    andThen(proceed(body), (response) => {
      exchange.upload?.close(exchange.cancellation.reason as Error | undefined)
      return response
    })
  return {
    maxBytes: maxBodyBytes + uploads.maxTotalBytes,
    proceed: proceedAndClose,
    proceedInChunks: proceedAndClose,
  }
}

function runBody<On extends Exchange, Own extends Kinded>(
  runner: HttpRunner<On, Own>,
  exchange: On,
): Soon<HttpResponse> {
  return run(runner, runner.stages.body, exchange) as Soon<HttpResponse>
}

/** Runs a list of stages up to the first stop. Requests that wait are counted, and have a time limit. */
function run<On extends Exchange, Own extends Kinded, Out extends object>(
  runner: Runner<On, Own, Out>,
  list: readonly Stage<On, Own, Out>[],
  exchange: On,
): Soon<Out | undefined> {
  for (let at = 0; at < list.length; at += 1) {
    const stop = (list[at] as Stage<On, Own, Out>)(exchange)
    if (stop === undefined) continue
    if (!isPromise(stop)) return toResponse(runner, stop, exchange)
    const { settings, surface, gate, discard } = runner
    const work = runLate(runner, list, at, exchange, stop)
    const onBug = (bug: unknown): void => void reportBug(settings, bug, exchange)
    if (gate === undefined) return withinDeadline(work, exchange.cancellation, onBug)
    const inTime = withDeadline(work, exchange, {
      timeout: (exchange.upload && settings.uploads?.timeout) ?? settings.executionTimeout,
      cancelled: (cause) => surface.refuse({ kind: 'cancelled', cause }, exchange),
      discard: (late) => {
        if (late !== undefined) discard(late)
      },
      onBug,
    })
    return gate.during(exchange, inTime)
  }
  return undefined
}

/** The rest of a list from a stage that waits. */
async function runLate<On extends Exchange, Own extends Kinded, Out extends object>(
  runner: Runner<On, Own, Out>,
  list: readonly Stage<On, Own, Out>[],
  from: number,
  exchange: On,
  waiting: PromiseLike<Stop<Own, Out> | undefined>,
): Promise<Out | undefined> {
  let stop = (await waiting) as Stop<Own, Out> | undefined
  for (let at = from + 1; ; at += 1) {
    // A response needs no further stage, even if `around` has discarded another one and so ended the execution.
    const isResponse = stop !== undefined && !('kind' in stop)
    // The client is gone: running the remaining stages would be wasted.
    if (!isResponse) exchange.cancellation.throwIfAborted()
    if (stop !== undefined) return toResponse(runner, stop, exchange)
    if (at === list.length) return undefined
    const next = (list[at] as Stage<On, Own, Out>)(exchange)
    stop = isPromise(next) ? await next : next
  }
}

function toResponse<On extends Exchange, Own extends Kinded, Out extends object>(
  { surface, complete }: Runner<On, Own, Out>,
  stop: Stop<Own, Out>,
  exchange: On,
): Out {
  return complete(stopToResponse(surface, stop, exchange), exchange)
}

/** A stream that comes too late holds its source open. */
function discardStream({ body }: HttpResponse): void {
  if (isStream(body)) body.discard()
}

/** Runs code that calls hooks: what they throw is reported with an id and becomes a masked 500. */
function guard<
  On extends Exchange,
  Own extends Kinded,
  Out extends object,
  From extends Runner<On, Own, Out>,
>(
  runner: From & Runner<On, Own, Out>,
  exchange: On,
  work: (runner: From, exchange: On) => Soon<Out | WantsBody>,
): Soon<Out | WantsBody> {
  let reply: Soon<Out | WantsBody>
  try {
    reply = work(runner, exchange)
  } catch (bug) {
    return fail(runner, exchange, bug)
  }
  if (!isPromise(reply)) return finishReply(runner, exchange, reply)
  return reply.then(
    (late) => finishReply(runner, exchange, late),
    (bug: unknown) => fail(runner, exchange, bug),
  )
}

/** A request for the body is not a response yet. */
function finishReply<On extends Exchange, Own extends Kinded, Out extends object>(
  { finish }: Runner<On, Own, Out>,
  exchange: On,
  reply: Out | WantsBody,
): Out | WantsBody {
  return 'proceed' in reply ? reply : finish(reply, exchange)
}

function fail<On extends Exchange, Own extends Kinded, Out extends object>(
  { settings, surface, finish }: Runner<On, Own, Out>,
  exchange: On,
  bug: unknown,
): Out {
  const id = reportBug(settings, bug, exchange)
  return finish(surface.refuse({ kind: 'internal', id }, exchange), exchange)
}
