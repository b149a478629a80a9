export {
  createSurfaceHandler,
  OwnSurface,
  prepareOperation,
  readJson,
  runOperation,
} from './surface.js'
export { describeStop } from '../handler/steps/describe-reply.js'
export { stop, wait } from '../handler/road/road.js'
export { pathOf, queryOf } from '../http/target.js'
export type { EndpointTools } from '../handler/steps/endpoint-tools.js'
export type { Facts } from '../handler/road/facts.js'
export type { Kinded, Road, Stop } from '../handler/road/road.js'
export type { Handler, HeaderList, HttpResponse, Request, TextResponse } from '../http/message.js'
export type { Operation } from '../graphql/execute/operation.js'
export type { OperationParams, OperationRun, OwnSurfaceOptions, TextResult } from './surface.js'
export type { StopDetails } from '../handler/steps/describe-reply.js'
export type { SurfaceOptions } from './surface-options.js'
