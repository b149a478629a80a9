import { fieldValue, type Handler, type RequestHead } from '../http/message.js'
import { handlerShape, type Options } from '../options/options.js'
import { resolveOptions, type Settings } from '../options/settings.js'
import { checkFraming } from '../over-http/request/check-head.js'
import { createEncodingChooser } from '../over-http/response/choose-encoding.js'
import { checkOptions } from '../shapes/shape.js'
import { beginExchange } from './stages/exchange.js'
import { createGraphQLSurface, type GraphQLExchange } from './graphql-surface.js'
import {
  createExecution,
  createOperationCheck,
  createPreparation,
  createServices,
  type Services,
} from './stages/run-operation.js'
import { Streams, type StreamStats } from '../streams/streams.js'
import type { SocketOperations } from '../websocket/operations.js'
import { createSocketOperations } from './socket-operations.js'
import { createOperationStages } from './stages/operation-stages.js'
import { OpenSockets } from './open-sockets.js'
import { createRunner } from './runner.js'
import type { Stage, Stages } from './stages/stage.js'
import {
  checkAccept,
  createContentStage,
  createBodyStage,
  createUrlStage,
  createOptionsStage,
  createRequestLineStage,
} from './stages/graphql-stages.js'
import { createCredentials } from './stages/credentials.js'
import { createClock } from './stages/finish.js'
import { describeExchange } from './describe-exchange.js'
import { traceExchanges } from './trace-request.js'
import type { RequestFacts } from './trace-messages.js'
import { pathOf } from '../http/target.js'

/** Makes the handler of a schema. Invalid options throw here. */
export function createHandler<Raw = unknown, Principal = unknown>(
  options: Options<Raw, Principal>,
): Handler<Raw> {
  checkOptions('createHandler', options, handlerShape)
  return createCheckedEndpoint('createHandler', options).handler
}

/** A schema as all transports serve it: its handler for HTTP, and its operations for sockets. */
export interface Endpoint<Raw = unknown> {
  readonly handler: Handler<Raw>
  /** What a host for sockets needs, such as that of `graphwire/websocket`. */
  readonly operations: SocketOperations
  readonly stats: () => EndpointStats
}

/** Counts of the streams of an endpoint, over all transports, and of its sockets. */
export interface EndpointStats extends StreamStats {
  /** How many WebSockets are open. */
  readonly sockets: number
}

/** Makes the endpoint of a schema. `createHandler` gives its handler only. Invalid options throw here. */
export function createEndpoint<Raw = unknown, Principal = unknown>(
  options: Options<Raw, Principal>,
): Endpoint<Raw> {
  checkOptions('createEndpoint', options, handlerShape)
  return createCheckedEndpoint('createEndpoint', options)
}

/** Makes an endpoint from options that are already checked; the caller may set the path. */
export function createCheckedEndpoint<Raw, Principal>(
  caller: string,
  options: Options<Raw, Principal>,
  path: string | undefined = options.path,
): Endpoint<Raw> {
  const settings = { ...resolveOptions(caller, options), path }
  const streams = new Streams(settings)
  const sockets = new OpenSockets(settings)
  const services = createServices(settings, streams)
  const surface = createGraphQLSurface(settings, streams)
  const stages = listStages(settings, services, surface.respond)
  const chooseEncoding = createEncodingChooser(settings.edition)
  const now = createClock(settings)
  const begin = (head: RequestHead): GraphQLExchange =>
    beginExchange(head, now(), chooseEncoding(fieldValue(head.headers, 'accept')))
  const { gate, engine } = services
  const run = createRunner(settings, { stages, surface, gate })
  const describe = (exchange: GraphQLExchange): RequestFacts => {
    const isServed = path !== undefined && pathOf(exchange.head.target) === path
    return { ...describeExchange(exchange, engine), route: isServed ? path : undefined }
  }
  return {
    handler: traceExchanges({ begin, run, describe }),
    operations: createSocketOperations(settings, services, sockets),
    stats: () => ({ ...streams.stats, sockets: sockets.size }),
  }
}

/**
 * All stages of a request, in order: the cheapest refusals first, and the body is read only after the head
 * has been accepted. `runner.ts` runs them; I/O happens in `hosts/` only.
 */
function listStages(
  settings: Settings,
  { engine, gate, streams }: Services,
  respond: GraphQLStage,
): Stages<GraphQLExchange> {
  const framing: GraphQLStage = ({ head }) => checkFraming(head, settings)
  const describeMethods = createOptionsStage(settings)
  const requestLine = createRequestLineStage(settings)
  const content = createContentStage(settings)
  const load = gate.check
  const credentials = createCredentials(settings)
  const operation = createOperationStages<GraphQLExchange>(settings, engine, {
    prepare: createPreparation(engine),
    check: createOperationCheck(streams),
    execute: createExecution(settings, engine, streams),
    respond,
  })
  return {
    head: settings.credentialsFirst
      ? [framing, describeMethods, load, credentials, requestLine, checkAccept, content]
      : [framing, describeMethods, requestLine, checkAccept, content, load, credentials],
    // More requests may have arrived while the body was being read.
    body: [load, createBodyStage(settings), ...operation],
    url: [createUrlStage(settings), ...operation],
  }
}

type GraphQLStage = Stage<GraphQLExchange>
