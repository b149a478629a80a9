import { failure, success, type Outcome } from '../base/outcome.js'
import { isPromise } from '../base/promise.js'
import type { Operation } from '../graphql/execute/operation.js'
import { reportBug } from '../options/report.js'
import type { Settings } from '../options/settings.js'
import type { Denial, Refusal } from '../over-http/refusal.js'
import { checkParsed } from '../over-http/request/read-body.js'
import { describeRefusal, refuse, toError } from '../over-http/response/respond.js'
import type { Streams } from '../streams/streams.js'
import type { SocketDenial, SocketOperations } from '../websocket/operations.js'
import type { OpenSockets } from './open-sockets.js'
import { SocketOperation } from './socket-operation.js'
import { createOperationRunner } from './runner.js'
import { createSocketSurface, type SocketReply } from './graphql-surface.js'
import { createCredentials } from './stages/credentials.js'
import { withDeadline } from './stages/deadline.js'
import { beginExchange, type Exchange } from './stages/exchange.js'
import { createClock, createResultReporter } from './stages/finish.js'
import { describeExchange } from './describe-exchange.js'
import { traceOperations } from './trace-request.js'
import { watchCredentials } from './stages/play-stream.js'
import { createDocumentStages } from './stages/find-document.js'
import { storingDocuments } from './stages/store-document.js'
import { createParamsTaker } from './stages/take-params.js'
import { surroundReplies, type ReplyView } from './stages/around.js'
import { createOperationStages } from './stages/operation-stages.js'
import {
  createRoomCheck,
  createSender,
  createPreparation,
  type Services,
} from './stages/run-operation.js'
import { inOrder, type Stage } from './stages/stage.js'
import { fieldValue, type HttpResponse, type RequestHead } from '../http/message.js'
import { hasPath, pathOf } from '../http/target.js'
import { checkFraming, checkSocketOrigin } from '../over-http/request/check-head.js'
import { createEncodingChooser } from '../over-http/response/choose-encoding.js'
import type { LoadGate } from './stages/load-gate.js'

type SocketStage = Stage<Exchange, never, SocketReply>

/**
 * Runs operations that come over sockets. From their parameters on they go through the same stages as
 * requests of HTTP, so no limit can be avoided by choosing a transport.
 */
export function createSocketOperations(
  settings: Settings,
  services: Services,
  sockets: OpenSockets,
): SocketOperations {
  const { gate, streams } = services
  const { heartbeat, streamSendTimeout, maxJsonNesting, documents, apq } = settings
  const { clientShare, clientOf } = settings
  const needsQuery = documents === undefined && apq === undefined
  const run = createRun(settings, services)
  const now = createClock(settings)
  const kit = { settings, streams }
  return {
    limits: { heartbeat, streamSendTimeout, maxJsonNesting, needsQuery, clientShare },
    clientOf,
    checkUpgrade: createUpgradeCheck(settings, gate),
    opened: (head) => sockets.opened(head),
    refused: (head, response) => sockets.refused(head, response),
    closed: () => sockets.closed(),
    authenticate: createAuthentication(settings),
    reportBug: (bug, head) => void reportBug(settings, bug, beginExchange(head, 0, undefined)),
    watch: (client, expired) => watchCredentials(client, settings, streams, expired),
    start({ head, principal }, payload, outlet) {
      const operation = new SocketOperation(outlet, kit)
      const { method, target, headers, raw } = head
      const onClientGone = (listener: () => void): (() => void) => operation.onClientGone(listener)
      const ownHead = { method, target, headers, raw, onClientGone }
      const exchange = beginExchange(ownHead, now(), undefined)
      exchange.principal = principal
      exchange.body = { json: payload }
      const reply = run(exchange)
      // It never rejects: bugs are masked errors.
      if (isPromise(reply)) void reply.then((late) => operation.take(late, exchange))
      else operation.take(reply, exchange)
      return operation
    },
  }
}

/** The stages of an operation from its parameters on. */
function createRun(
  settings: Settings,
  { engine, starters, gate, streams }: Services,
): (exchange: Exchange) => SocketReply | Promise<SocketReply> {
  const surface = createSocketSurface(settings, streams)
  const onlySubscriptions = settings.webSocketOperations === 'subscriptions'
  const report = createResultReporter(settings, 'websocket')
  const send = createSender(settings, engine)
  const checkRoom = createRoomCheck(settings, streams)
  const operation = createOperationStages<Exchange, never, SocketReply>(settings, engine, {
    prepare: storingDocuments(settings, createPreparation(engine)),
    check({ prepared, head }) {
      const { operation: type } = (prepared as Operation).definition
      return onlySubscriptions && type !== 'subscription'
        ? { kind: 'not-over-websocket', type }
        : checkRoom(prepared as Operation, head, true)
    },
    execute(prepared, input, exchange) {
      if (prepared.definition.operation === 'subscription') {
        return starters.subscribeToSend(prepared, input)
      }
      return prepared.isIncremental && streams.hasRoomFor(prepared, input.client)
        ? starters.executeIncrementally(prepared, input, 'v0.2')
        : send(prepared, input, exchange)
    },
    respond: surface.respond,
    surround: surroundReplies<Exchange, never, SocketReply>(settings, surface, createView(streams)),
  })
  const runStages = createOperationRunner<Exchange, SocketReply>(
    settings,
    [
      gate.check,
      createParamsStage(settings),
      ...inOrder({ ...createDocumentStages(settings), ...operation }),
    ],
    {
      surface,
      gate,
      complete: (reply) => reply,
      finish(reply, exchange) {
        report?.(toResponse(reply), exchange)
        return reply
      },
      discard(late) {
        if ('program' in late) streams.discard(late.program)
      },
    },
  )
  return traceOperations(
    runStages,
    (facts, exchange) => {
      describeExchange(facts, exchange, engine)
      facts.route = settings.path
    },
    (reply) => toResponse(reply).status,
  )
}

/** `around` sees what the response would be over HTTP. */
function createView(streams: Streams): ReplyView<SocketReply> {
  return {
    show(reply) {
      if ('errors' in reply) {
        return { status: reply.status, headers: [], body: `{"errors":${reply.errors}}` }
      }
      if ('result' in reply) return { status: reply.status, headers: [], body: reply.result }
      const discard = (): void => streams.discard(reply.program)
      return { status: 200, headers: [], body: { open: refuseToOpen, discard } }
    },
    take: ({ body, status }) => ({ result: body, status }),
  }
}

function refuseToOpen(): never {
  throw new TypeError('around: a stream over a WebSocket is opened by its socket.')
}

/** The payload of `subscribe` is what HTTP has in the body. */
function createParamsStage(settings: Settings): SocketStage {
  const take = createParamsTaker(settings)
  return (exchange) => {
    const { json } = exchange.body as { readonly json: unknown }
    const checked = checkParsed(json, settings)
    return checked.ok ? take(checked.value, exchange) : checked.reason
  }
}

/** Calls `authenticate`, which has the time that requests have. */
function createAuthentication(settings: Settings): SocketOperations['authenticate'] {
  const check = createCredentials(settings)
  const deny = (refusal: Refusal): Outcome<never, SocketDenial> =>
    failure({ message: describeRefusal(refusal, settings.edition).message })
  return (head) => {
    const exchange = beginExchange(head, 0, undefined)
    const take = (denial: Denial | undefined): Outcome<unknown, SocketDenial> =>
      denial === undefined ? success(exchange.principal) : deny(denial)
    const denial = check(exchange)
    if (!isPromise(denial)) return take(denial)
    return withDeadline(denial.then(take), exchange, {
      timeout: settings.executionTimeout,
      cancelled: (cause) => deny({ kind: 'cancelled', cause }),
      discard: () => undefined,
      onBug: (bug) => void reportBug(settings, bug, exchange),
    })
  }
}

/** What `onResult` sees: the status that the operation would have over HTTP. */
function toResponse(reply: SocketReply): Parameters<NonNullable<Report>>[0] {
  if ('errors' in reply) return { status: reply.status, headers: [], body: reply.errors }
  if ('result' in reply) return { status: reply.status, headers: [], body: reply.result }
  return { status: 200, headers: [], body: '' }
}

type Report = ReturnType<typeof createResultReporter>

/** Checks the head of a handshake for a socket as those of requests are checked; credentials come later. */
function createUpgradeCheck(
  settings: Settings,
  gate: LoadGate,
): (head: RequestHead) => HttpResponse | undefined {
  const { path, edition } = settings
  const chooseEncoding = createEncodingChooser(edition)
  return (head) => {
    const { headers, target } = head
    const refusal =
      checkFraming(head, settings) ??
      (path !== undefined && !hasPath(target, path)
        ? ({ kind: 'not-found', path: pathOf(target) } as const)
        : (checkSocketOrigin(head, settings) ?? gate.check({ isCounted: false })))
    if (refusal === undefined) return undefined
    const details = describeRefusal(refusal, edition)
    return refuse(details, toError(details), chooseEncoding(fieldValue(headers, 'accept')))
  }
}
