import { fieldValue, type Handler, type Request } from '../http/message.js'
import { handlerShape, type Options } from '../options/options.js'
import { resolveOptions } from '../options/settings.js'
import { createUrlReader, createParamsReader } from '../over-http/request/read-params.js'
import { createEncodingChooser } from '../over-http/response/choose-encoding.js'
import { checkOptions } from '../shapes/shape.js'
import type { StreamStats } from '../streams/streams.js'
import type { SocketOperations } from '../websocket/operations.js'
import { Batches } from './batch.js'
import { graphqlRoad } from './graphql-road.js'
import { GraphQLSurface, type GraphQLTools } from './graphql-surface.js'
import { beginFacts, type Facts } from './road/facts.js'
import { createRoadHandler, servedPath, type RoadStart } from './road-handler.js'
import { createSocketOperations } from './socket-operations.js'
import { createCaching } from './steps/cache-response.js'
import { createTools } from './steps/endpoint-tools.js'
import { checkDocuments } from './steps/stored-documents.js'
import { graphqlFormat } from './steps/program.js'
import { createIdeServer } from './steps/serve-ide.js'

/** Makes the handler of a schema. Invalid options throw here. */
export function createHandler<Raw = unknown, Principal = unknown>(
  options: Options<Raw, Principal>,
): Handler<Raw> {
  checkOptions('createHandler', options, handlerShape)
  return createGraphQLHandler('createHandler', options).handler
}

/** A schema as all transports serve it: its handler for HTTP, and its operations for sockets. */
export interface Endpoint<Raw = unknown, Principal = unknown> {
  readonly handler: Handler<Raw>
  /** What a host for sockets needs, such as that of `graphwire/websocket`. */
  readonly operations: SocketOperations
  readonly stats: () => EndpointStats
  /** Only for the compiler: what `executeInProcess` takes. */
  readonly '~principal'?: (principal: Principal) => void
}

/** Counts of the streams of an endpoint, over all transports, and of its sockets. */
export interface EndpointStats extends StreamStats {
  /** How many WebSockets are open. */
  readonly sockets: number
}

/** Makes the endpoint of a schema. `createHandler` gives its handler only. Invalid options throw here. */
export function createEndpoint<Raw = unknown, Principal = unknown>(
  options: Options<Raw, Principal>,
): Endpoint<Raw, Principal> {
  checkOptions('createEndpoint', options, handlerShape)
  return createCheckedEndpoint('createEndpoint', options)
}

/** The parts that a caller may change: the path, and what is noted of each request. */
interface Own {
  readonly path?: string | undefined
  readonly begin?: typeof beginFacts
}

/** Makes an endpoint from options that are already checked. */
export function createCheckedEndpoint<Raw, Principal>(
  caller: string,
  options: Options<Raw, Principal>,
  own?: Own,
): Endpoint<Raw, Principal> {
  const { handler, tools } = createGraphQLHandler<Raw, Principal>(caller, options, own)
  const { operations, open } = createSocketOperations(tools)
  return { handler, operations, stats: () => ({ ...tools.streams.stats, sockets: open() }) }
}

/** Without what sockets need, so that a bundle of `createHandler` has none of it. */
function createGraphQLHandler<Raw, Principal>(
  caller: string,
  options: Options<Raw, Principal>,
  { path = options.path, begin = beginFacts }: Own = {},
): { handler: Handler<Raw>; tools: GraphQLTools } {
  const settings = { ...resolveOptions(caller, options), path }
  const shared = createTools(settings)
  const tools: GraphQLTools = {
    ...shared,
    serveIde: createIdeServer(settings),
    readUrl: createUrlReader(settings, settings.documents !== undefined),
    readParams: createParamsReader(settings),
    batches: settings.batch && new Batches(settings.batch, shared),
    format: graphqlFormat(settings),
    addCaching: createCaching(settings),
  }
  checkDocuments(caller, settings, tools.engine)
  const chooseEncoding = createEncodingChooser(settings.edition)
  const describe: RoadStart['describe'] = (message, facts) => {
    const { documentName, prepared } = facts
    // A hash may be that of a document that a client has added.
    const isTrusted = documentName?.kind === 'id' || (documentName && settings.apq === undefined)
    message.route = servedPath(facts, path)
    message.isTrusted = prepared === undefined ? undefined : isTrusted
  }
  const start = (request: Request, facts: Facts): RoadStart => {
    const encoding = chooseEncoding(fieldValue(facts.head.headers, 'accept'))
    const surface = new GraphQLSurface(encoding, tools, facts)
    return { surface, road: graphqlRoad(request, surface), describe }
  }
  return { handler: createRoadHandler<Raw>(tools, start, begin), tools }
}
