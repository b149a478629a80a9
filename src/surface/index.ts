/*
 * What a surface is made of: its requests, its responses, and in between the same road as that of GraphQL over HTTP. Routes
 * (`rest`) and tools (`mcp`) use nothing else of `handler`.
 */
export { createSurfaceHandler, prepareOperation, readJson, runOperation } from './surface.js'
export { HttpSurface } from '../handler/http-surface.js'
export { stop, wait } from '../handler/road/road.js'
export { identify } from '../handler/steps/authenticate.js'
export { describeStop } from '../handler/steps/describe-stop.js'
export type { OperationParams, OperationRun, TextResult, Visit } from './surface.js'
export type { SurfaceOptions } from './surface-options.js'
export type { Facts } from '../handler/road/facts.js'
export type { Kinded, Road, Stop } from '../handler/road/road.js'
export type { EndpointTools } from '../handler/steps/endpoint-tools.js'
export type { StopDetails } from '../handler/steps/describe-stop.js'

// For surfaces with options, parts or streams of their own.
export { surfaceShapes } from './surface-options.js'
export { createRoadHandler } from '../handler/road-handler.js'
export { createTools } from '../handler/steps/endpoint-tools.js'
export { servedPath } from '../handler/describe-facts.js'
export { noteOperation } from '../handler/road/facts.js'
export { authenticate, checkLoad } from '../handler/steps/authenticate.js'
export { askDenial } from '../handler/steps/ask-hook.js'
export { receiveJson } from '../handler/steps/receive-json.js'
export { checkRun } from '../handler/steps/prepare.js'
export { asIs } from '../handler/steps/around.js'
export { runWith } from '../handler/steps/run.js'
export { askForHeaders } from '../handler/steps/ask-for-headers.js'
export { checkLength } from '../handler/steps/check-length.js'
export { withLayers, withRouteHeaders } from '../handler/steps/layer-headers.js'
export { SubscriptionProgram, type ResultFormat } from '../handler/steps/program.js'
export {
  describeStream,
  respondWithStream,
  type StreamFormat,
} from '../handler/steps/stream-response.js'
