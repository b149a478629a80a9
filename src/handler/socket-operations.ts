import { failure, success, type Outcome } from '../base/outcome.js'
import { callApart, toPromise } from '../base/promise.js'
import {
  fieldValue,
  type GoneListener,
  type HttpResponse,
  type RequestHead,
} from '../http/message.js'
import { hasPath, pathOf } from '../http/target.js'
import { reportBug } from '../options/report.js'
import type { Settings } from '../options/settings.js'
import type { Refusal } from '../over-http/refusals.js'
import { checkFraming, checkSocketOrigin } from '../over-http/request/check-head.js'
import { createEncodingChooser } from '../over-http/response/choose-encoding.js'
import { describeRefusal, refuse, toError } from '../over-http/response/respond.js'
import type { SocketDenial, SocketOperations } from '../websocket/operations.js'
import type { GraphQLTools } from './graphql-surface.js'
import { drive, type Trip } from './road/driver.js'
import { beginFacts } from './road/facts.js'
import { SocketOperation } from './socket-operation.js'
import { socketRoad, SocketSurface, type SocketReply, type SocketTools } from './socket-road.js'
import { authenticate } from './steps/ask-hook.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import { createResultReporter } from './steps/finish.js'
import { watchCredentials } from './steps/play-stream.js'
import type { TraceFacts } from './trace-messages.js'
import {
  describeFacts,
  servedPath,
  traceResponse,
  traceWork,
  type TracedWork,
} from './road-handler.js'
import { stop, wait, type Road, type Surface } from './road/road.js'

/**
 * Runs operations that come over sockets. From their parameters on they go the same way as requests of HTTP, so no limit
 * can be avoided by choosing a transport.
 */
export function createSocketOperations(endpoint: GraphQLTools): {
  readonly operations: SocketOperations
  /** How many sockets are open, over all hosts. */
  readonly open: () => number
} {
  const { settings, streams } = endpoint
  const { heartbeat, streamSendTimeout, maxJsonNesting, documents, apq } = settings
  const { clientShare, clientOf } = settings
  const needsQuery = documents === undefined && apq === undefined
  const toTools = (transport: SocketTools['transport']): SocketTools => {
    return { ...endpoint, transport, report: createResultReporter(settings, transport) }
  }
  const ofSockets = toTools('websocket')
  const inProcess = toTools('in-process')
  const isTimed = settings.onResult !== undefined
  let open = 0
  const operations: SocketOperations = {
    limits: { heartbeat, streamSendTimeout, maxJsonNesting, needsQuery, clientShare },
    clientOf,
    checkUpgrade: createUpgradeCheck(endpoint),
    opened(head) {
      open += 1
      reportHandshake(head, switchingProtocols, settings)
    },
    refused: (head, response) => reportHandshake(head, response, settings),
    closed: () => void (open -= 1),
    authenticate: createAuthentication(endpoint),
    reportBug: (bug, head) => void reportBug(settings, bug, beginFacts(head, 0)),
    watch: (client, expired) => watchCredentials(client, settings, streams, expired),
    start({ head, principal, isInProcess = false }, payload, outlet) {
      const tools = isInProcess ? inProcess : ofSockets
      const operation = new SocketOperation(outlet, tools)
      const facts = beginFacts(toOwnHead(head, operation), isTimed ? performance.now() : 0)
      facts.principal = principal
      const surface = new SocketSurface(tools, facts)
      const trip = { road: socketRoad(payload, surface), surface, facts }
      const begin = driving(trip, tools)
      const describe = (message: TraceFacts): void => {
        describeFacts(message, facts, tools.engine)
        message.route = settings.path
      }
      traceWork({ head: facts.head, transport: tools.transport, begin, describe }, (reply) =>
        operation.take(reply, facts),
      )
      return operation
    },
  }
  return { operations, open: () => open }
}

/** The response to a handshake that opens a socket, as far as all runtimes know it. */
const switchingProtocols: HttpResponse = { status: 101, headers: [], body: '' }

function reportHandshake(head: RequestHead, response: HttpResponse, settings: Settings): void {
  const { path, onHandshake } = settings
  traceResponse(head, response, { route: servedPath({ head }, path) })
  if (onHandshake === undefined) return
  callApart(
    () => onHandshake(head, response),
    (bug) => void reportBug(settings, bug, beginFacts(head, 0)),
  )
}

/**
 * A resolver that ignores that its operation was cancelled keeps the head and whoever waits for the reply. All closures of a
 * function keep what any of them needs, so those made here and in `start` must not see the payload.
 */
function toOwnHead(
  { method, target, headers, raw }: RequestHead,
  operation: SocketOperation,
): RequestHead {
  const onClientGone = (listener: GoneListener): (() => void) => operation.onClientGone(listener)
  return { method, target, headers, raw, onClientGone }
}

function driving(trip: Trip<SocketReply>, tools: SocketTools): TracedWork<SocketReply>['begin'] {
  return (done, followers) => {
    trip.facts.followers = followers
    drive(trip, tools, done)
  }
}

/** Calls `authenticate`, which has the time that requests have. */
function createAuthentication(tools: EndpointTools): SocketOperations['authenticate'] {
  const { settings } = tools
  type Told = Outcome<unknown, SocketDenial>
  const surface: Surface<Told> = {
    toResponse: (why) =>
      failure({
        kind: denialKinds[why.kind] ?? 'denied',
        message: describeRefusal(why as Refusal, settings.edition).message,
      }),
    finish: (told) => told,
  }
  return (head, connectionParams, onClientGone) => {
    const facts = beginFacts({ ...head, onClientGone }, 0)
    facts.at = 'credentials'
    const trip = { road: identify({ ...head, connectionParams }, tools), surface, facts }
    return toPromise<Told>((done) => drive(trip, tools, done))
  }
}

const denialKinds: { readonly [kind: string]: SocketDenial['kind'] | undefined } = {
  overloaded: 'overloaded',
  // It took too long: the client is to try again.
  cancelled: 'overloaded',
  internal: 'failed',
}

function* identify(
  head: RequestHead,
  { settings, gate }: EndpointTools,
): Road<Outcome<unknown, SocketDenial>> {
  const overload = gate.check(head)
  if (overload !== undefined) return yield* stop(overload)
  yield* wait(settings.cors.decide?.(head))
  const foreign = checkSocketOrigin(head, settings)
  if (foreign !== undefined) return yield* stop(foreign)
  return success(yield* authenticate(head, settings))
}

/** Checks the head of a handshake for a socket as those of requests are checked; credentials come later. */
function createUpgradeCheck({
  settings,
  gate,
}: EndpointTools): (head: RequestHead) => HttpResponse | undefined {
  const { path, edition, cors } = settings
  // Not every runtime can wait here: a function is asked with the credentials.
  const asksLater = cors.decide !== undefined
  const chooseEncoding = createEncodingChooser(edition)
  return (head) => {
    const { headers, target } = head
    const refusal =
      checkFraming(head, settings) ??
      (path !== undefined && !hasPath(target, path)
        ? ({ kind: 'not-found', path: pathOf(target) } as const)
        : ((asksLater ? undefined : checkSocketOrigin(head, settings)) ?? gate.check(head)))
    if (refusal === undefined) return undefined
    const details = describeRefusal(refusal, edition)
    return refuse(details, toError(details), chooseEncoding(fieldValue(headers, 'accept')))
  }
}
