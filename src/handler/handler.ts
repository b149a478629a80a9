import { fieldValue, type Handler, type RequestHead } from '../http/message.js'
import { handlerShape, type Options } from '../options/options.js'
import { resolveOptions, type Settings } from '../options/settings.js'
import { checkFraming } from '../over-http/request/check-head.js'
import { createEncodingChooser } from '../over-http/response/choose-encoding.js'
import { checkOptions } from '../shapes/shape.js'
import { createBatches } from './batches.js'
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
import { checkDocuments, createDocumentStages } from './stages/find-document.js'
import { storingDocuments } from './stages/store-document.js'
import { createOperationStages, type OperationStageName } from './stages/operation-stages.js'
import { OpenSockets } from './open-sockets.js'
import { createRunner } from './runner.js'
import { createIdeStages } from './stages/serve-ide.js'
import { inOrder, type NamedStages, type Stage, type Stages, type Surface } from './stages/stage.js'
import {
  checkAccept,
  createContentStage,
  createBodyStage,
  createUrlStage,
  createOptionsStage,
  createRequestLineStage,
} from './stages/graphql-stages.js'
import { withCaching } from './stages/cache-response.js'
import { createCredentials } from './stages/credentials.js'
import { createClock } from './stages/finish.js'
import { createSurround } from './stages/around.js'
import { describeExchange, servedPath } from './describe-exchange.js'
import { traceExchanges } from './trace-request.js'
import type { OwnFacts } from './trace-messages.js'

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
  order: OrderStages = listStages,
): Endpoint<Raw> {
  const settings = { ...resolveOptions(caller, options), path }
  const streams = new Streams(settings)
  const sockets = new OpenSockets(settings)
  const services = createServices(settings, streams)
  checkDocuments(caller, settings, services.engine)
  const own = createGraphQLSurface(settings, streams)
  const batches = settings.batch && createBatches(settings, settings.batch, services, own)
  const surface = batches?.surface ?? own
  const readBody = batches?.readBody ?? createBodyStage(settings)
  const caching = { ...surface, respond: withCaching(surface.respond, settings) }
  const stages = order(nameStages(settings, services, readBody, caching))
  const chooseEncoding = createEncodingChooser(settings.edition)
  const now = createClock(settings)
  const begin = (head: RequestHead): GraphQLExchange =>
    beginExchange(head, now(), chooseEncoding(fieldValue(head.headers, 'accept')))
  const { gate, engine } = services
  const run = createRunner(settings, { stages, surface, gate })
  const describe = (facts: OwnFacts, exchange: GraphQLExchange): void => {
    const { documentName, prepared } = exchange
    // A hash may be that of a document that a client has added.
    const isTrusted = documentName?.kind === 'id' || (documentName && settings.apq === undefined)
    describeExchange(facts, exchange, engine)
    facts.route = servedPath(exchange, path)
    facts.isTrusted = prepared === undefined ? undefined : isTrusted
  }
  return {
    handler: traceExchanges({ begin, run, describe }),
    operations: createSocketOperations(settings, services, sockets),
    stats: () => ({ ...streams.stats, sockets: sockets.size }),
  }
}

/**
 * All stages of a request, in order: the cheapest refusals first, and the body is read only after the head
 * has been accepted. `runner.ts` runs them; I/O happens in `hosts/` only. With `batch`, `readBody` runs lists: see `batches.ts`.
 */
function nameStages(
  settings: Settings,
  services: Services,
  readBody: GraphQLStage,
  surface: Surface<GraphQLExchange> & { readonly respond: GraphQLStage },
): StageLists {
  const { engine, gate, streams } = services
  const framing: GraphQLStage = ({ head }) => checkFraming(head, settings)
  const options = createOptionsStage(settings)
  const ide = createIdeStages(settings)
  const requestLine = createRequestLineStage(settings)
  const accept = checkAccept
  const content = createContentStage(settings)
  const load = gate.check
  const credentials = createCredentials(settings)
  const findDocument = createDocumentStages(settings)
  const operation = createOperationStages<GraphQLExchange>(settings, engine, {
    prepare: storingDocuments(settings, createPreparation(engine)),
    check: createOperationCheck(settings, streams),
    execute: createExecution(settings, services),
    respond: surface.respond,
    surround: createSurround<GraphQLExchange>(settings, surface),
  })
  return {
    head: settings.credentialsFirst
      ? { framing, options, ...ide, load, credentials, requestLine, accept, content }
      : { framing, options, ...ide, requestLine, accept, content, load, credentials },
    // More requests may have arrived while the body was being read.
    body: { load, body: readBody, ...findDocument, ...operation },
    url: { url: createUrlStage(settings), ...findDocument, ...operation },
  }
}

export type GraphQLStage = Stage<GraphQLExchange>

/** The stages of a request by name. */
export type StageName =
  | 'framing'
  | 'options'
  | 'ide'
  | 'requestLine'
  | 'accept'
  | 'content'
  | 'load'
  | 'credentials'
  | 'body'
  | 'url'
  | 'document'
  | OperationStageName

/** The lists of stages, each in the order in which it runs. */
export interface StageLists {
  readonly head: NamedStages<StageName, GraphQLExchange>
  readonly body: NamedStages<StageName, GraphQLExchange>
  readonly url: NamedStages<StageName, GraphQLExchange>
}

/** Makes the lists that run; who watches a request wraps its stages here. */
export type OrderStages = (lists: StageLists) => Stages<GraphQLExchange>

function listStages({ head, body, url }: StageLists): Stages<GraphQLExchange> {
  return { head: inOrder(head), body: inOrder(body), url: inOrder(url) }
}
