export { createHandler } from './handler.js'
export { createRestHandler } from './rest-handler.js'
export { createApiDescription } from './rest/openapi/api-description.js'
export { problem } from './rest/problem.js'
export { CancelledError } from './deadline.js'
export { OperationRequest } from './operation-request.js'
export { buildSchema } from './engine/build-schema.js'
export { SchemaError } from './engine/check-schema.js'
export { ResponseHeaders } from './http/response-headers.js'
export { fieldValue, wantsBody } from './http/message.js'
export { pathOf } from './http/target.js'
export { traceRequests } from './trace-request.js'
export { failure, success } from './outcome.js'
export type { Awaitable, Options } from './options.js'
export type { AuthorizeFacts, RestOptions } from './rest-options.js'
export type { ParameterRule, Route, RouteFacts, RouteMethod } from './rest/route.js'
export type { ApiDescriptionOptions } from './rest/openapi/api-description.js'
export type { Problem, ProblemError } from './rest/problem.js'
export type { CorsOptions } from './cors.js'
export type { NumericOptions } from './numeric-options.js'
export type { DocumentLimits, LimitName, LimitReport } from './engine/limits.js'
export type { Decoder, Decoders, DecodeFault } from './request/decode-body.js'
export type { BugDetails } from './engine/format-errors.js'
export type { ExecuteFunction } from './engine/execute.js'
export type { Resolvers } from './engine/build-schema.js'
export type { GraphQLModule, ValidationRule } from './engine/graphql.js'
export type { GraphQLParams, JsonObject } from './engine/params.js'
export type { CancelCause, Denial } from './refusal.js'
export type { EditionName } from './response/editions.js'
export type { HeaderRecord } from './http/response-headers.js'
export type { Outcome } from './outcome.js'
export type { RequestTrace } from './trace-request.js'
export type {
  Answer,
  Handler,
  HeaderList,
  HttpResponse,
  ParsedJson,
  Reply,
  RequestHead,
  WantsBody,
} from './http/message.js'
