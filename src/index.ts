export { createEndpoint, createHandler } from './handler/handler.js'
export { defineOptions } from './options/define-options.js'
export { executeInProcess, subscribeInProcess } from './hosts/in-process.js'
export { createState, defineExtension } from './options/extensions.js'
export { problem } from './http/problem.js'
export { createAddressReader, networkOf } from './http/client-address.js'
export type { AddressReader } from './http/client-address.js'
export { CancelledError } from './handler/road/cancelled-error.js'
export { OperationRequest } from './options/operation-request.js'
export { buildSchema } from './options/define-options.js'
export { cacheHintShape } from './graphql/cache/cache-hint.js'
export { SchemaError } from './graphql/schema/check-schema.js'
export { ResponseHeaders } from './http/response-headers.js'
export { fieldValue, readBody } from './http/message.js'
export { resumable } from './base/resumable.js'
export { pathOf } from './http/target.js'
export { route } from './handler/route.js'
export { traceRequests } from './handler/road-handler.js'
export { failure, success } from './base/outcome.js'
export type { Ide, IdeFacts, Options } from './options/options.js'
export type { ContextOf, OptionsOf, RequestOf, ServerTypes } from './options/define-options.js'
export type { InProcessRequest, InProcessResult } from './hosts/in-process.js'
export type { AnyExtension, Extension, ExtensionHooks } from './options/extensions.js'
export type { Hooks } from './options/hooks.js'
export type { AnyResolver, FieldFunction } from './graphql/schema/wrap-fields.js'
export type { Problem, ProblemError } from './http/problem.js'
export type { CorsOptions } from './http/cors.js'
export type { NumericOptions } from './options/numeric-options.js'
export type {
  DocumentLimits,
  LimitName,
  LimitReport,
  ReportableLimit,
} from './graphql/limits/limits.js'
export type { ApqOptions, DocumentOptions } from './options/document-options.js'
export type {
  ApolloManifest,
  DocumentSource,
  DocumentStore,
  DocumentTexts,
} from './persisted/manifest.js'
export type { WritableDocumentStore } from './persisted/memory-store.js'
export type { InvalidDocument } from './persisted/stored-documents.js'
export type { Decoder, Decoders, DecodeFault, DecodeSignal } from './over-http/request/read-body.js'
export type { AuthenticatedRequest, CompletedRequest, RequestInfo } from './options/request-info.js'
export type { ExecutedResponse, ResultInfo, ResultPart } from './options/result-info.js'
export type { BugDetails } from './graphql/errors/format-errors.js'
export type {
  Execution,
  ExecutionKind,
  ExecutionSettings,
  PreparedExecution,
} from './graphql/execute/execution.js'
export type { ExecuteFunction, SubscribeFunction } from './graphql/execute/arguments.js'
export type { CacheHint, CacheScope } from './graphql/cache/cache-hint.js'
export type { CachePolicy } from './graphql/cache/cache-policy.js'
export type { BuildSchemaOptions, SchemaSource } from './graphql/schema/build-schema.js'
export type {
  FieldResolver,
  FieldResolvers,
  Resolvers,
  TypeResolvers,
} from './graphql/schema/resolvers.js'
export type { GraphQLModule, ValidationRule } from './graphql/js/graphql.js'
export type { JsonObject } from './base/json.js'
export type { GraphQLParams } from './graphql/execute/params.js'
export type { CancelCause, Denial } from './over-http/refusals.js'
export type { EditionAlias, EditionName } from './over-http/editions.js'
export type { HeaderRecord } from './http/response-headers.js'
export type { Outcome } from './base/outcome.js'
export type { Endpoint, EndpointStats } from './handler/handler.js'
export type { StreamEnd, StreamStats, StuckSource } from './streams/streams.js'
export type { HandlersByPath } from './handler/route.js'
export type { StreamTrace } from './handler/steps/play-stream.js'
export type {
  Arrival,
  ExecuteTrace,
  FollowedTrace,
  Follower,
  OperationTrace,
  ParseTrace,
  RequestFacts,
  RequestTrace,
  TraceMessages,
  TraceSubscribers,
  TracingChannelOf,
  ValidateTrace,
} from './handler/trace-messages.js'
export type { Around } from './graphql/js/tracing.js'
export type {
  Body,
  BodyChunks,
  Deliver,
  Handler,
  HeaderList,
  Flow,
  HttpResponse,
  MaybePromise,
  ParsedJson,
  RefusedBody,
  Request,
  RequestHead,
  Sink,
  StreamBody,
  TextResponse,
} from './http/message.js'
