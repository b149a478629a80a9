import type { GraphQLSchema } from 'graphql'
import { contentCoding } from '../http/message.js'
import { corsShape, type CorsOptions } from '../http/cors.js'
import type { ExecuteFunction, SubscribeFunction } from '../graphql/execute/arguments.js'
import type { Execution } from '../graphql/execute/execution.js'
import { moduleShape, type GraphQLModule, type ValidationRule } from '../graphql/js/graphql.js'
import { reportableLimits, type ReportableLimit } from '../graphql/limits/limits.js'
import type { MaybePromise, HttpResponse, RequestHead } from '../http/message.js'
import { documentShapes, type DocumentOptions } from './document-options.js'
import { batchShape, type BatchNumbers } from './batch-options.js'
import { numberShapes, type NumericOptions } from './numeric-options.js'
import type { OperationRequest } from './operation-request.js'
import type { Decoders } from '../over-http/request/read-body.js'
import type { AnyExtension } from './extensions.js'
import { hookShapes, type Hooks } from './hooks.js'
import type { AuthenticatedRequest } from './request-info.js'
import {
  editionNames,
  findEdition,
  type EditionAlias,
  type EditionName,
} from '../over-http/editions.js'
import {
  listOf,
  objectOf,
  recordOf,
  required,
  wordOr,
  type Shape,
  type Shapes,
} from '../shapes/shape.js'
import {
  aBoolean,
  absolutePath,
  aFunction,
  anything,
  headerNames,
  oneOf,
} from '../shapes/shapes.js'
import { uploadsShape, type UploadReader } from './upload-reader.js'

/** An IDE in the browser: `createIde()` of `@graphwire/ide`, or your own. Nothing is executed for it. */
export interface Ide {
  /** The page, for a GET or HEAD of the endpoint whose `Accept` prefers text/html. */
  page(head: RequestHead, facts: IdeFacts): HttpResponse
  /** A file of the page by its name, which follows `?ide=` in the URL of the endpoint; undefined if there is none. */
  asset(name: string, head: RequestHead): HttpResponse | undefined
}

/** What the page cannot know by itself. */
export interface IdeFacts {
  readonly edition: EditionName
}

/** The options of `createHandler`, with the numbers and limits. Only `schema` is required. */
export interface Options<Raw = unknown, Principal = unknown>
  extends NumericOptions, DocumentOptions<Raw>, Hooks<Raw, Principal> {
  /** The schema, or a function that returns the schema for a request; `request.principal` is what `authenticate` returned. */
  readonly schema:
    | GraphQLSchema
    | ((
        head: RequestHead<Raw>,
        request: AuthenticatedRequest<Raw, Principal>,
      ) => MaybePromise<GraphQLSchema>)
  /** The `source` of root fields. Default: undefined. */
  readonly rootValue?: unknown
  /** Makes the context value of resolvers. Default: the `OperationRequest` itself. */
  context?(request: OperationRequest<Raw, Principal>): unknown
  /** Extensions, made by `defineExtension`: the first is the outermost, and the hooks beside this option are the innermost. Default: none. */
  readonly use?: readonly AnyExtension<NoInfer<Principal>>[] | undefined
  /** Validation rules in addition to those of the specification. Default: none. */
  readonly validationRules?: readonly ValidationRule[] | undefined
  /** An executor with the signature of `execute` of graphql-js. Default: `execute` of graphql-js. */
  readonly execute?: ExecuteFunction | undefined
  /** Starts subscriptions, with the signature of `subscribe` of graphql-js: a source of results. Default: that of graphql-js, and `execute` for each event. */
  readonly subscribe?: SubscribeFunction | undefined
  /** How operations are executed, such as `compiledExecution()`; not together with `execute`. Default: by graphql-js. */
  readonly execution?: Execution | undefined
  /** Whether clients may use @defer and @stream: graphql 17.1 without `execute`. Default: true. */
  readonly incremental?: boolean | undefined
  /** The graphql-js module to use, if the schema comes from another copy. Default: the installed peer dependency. */
  readonly graphql?: GraphQLModule | undefined
  /** Whether the handler publishes on the tracing channels `graphql:*`; false if something else traces graphql. Default: true. */
  readonly channels?: boolean | undefined
  /** Whether clients may use introspection. Default: true. */
  readonly introspection?: boolean | undefined
  /** Whether error messages may say "Did you mean ...?", which reveals names of the schema. Default: same as `introspection`. */
  readonly suggestions?: boolean | undefined
  /** Whether unexpected errors are masked: clients see an id, `onBug` gets the error. Default: true. */
  readonly maskErrors?: boolean | undefined
  /** Whether to run `authenticate` before the checks of path, method and types. Default: false. */
  readonly credentialsFirst?: boolean | undefined
  /** What may be sent over WebSockets: all operations, or only subscriptions. Default: 'all'. */
  readonly webSocketOperations?: 'all' | 'subscriptions' | undefined
  /** Edition of the specification to follow. Default: '2026-09', the official edition of September 2026. */
  readonly edition?: EditionName | EditionAlias | undefined
  /** Status of a response with both data and errors in edition 2026-09; 200 is for intermediaries that mishandle 294. Default: 294. */
  readonly partialSuccessStatus?: 294 | 200 | undefined
  /** Path to serve, such as '/graphql'; all others are 404. Default: every path. */
  readonly path?: string | undefined
  /** What browsers get that open the endpoint: `createIde()` of `@graphwire/ide`. Default: none, they get JSON. */
  readonly ide?: Ide | undefined
  /** Origins whose pages may send requests and read responses. Default: only the server's own. */
  readonly cors?: CorsOptions | undefined
  /** Whether to accept queries sent with GET. Default: true. */
  readonly get?: boolean | undefined
  /** Header fields of which a GET must have at least one, which forms and links cannot set. Default: none. */
  readonly getHeaders?: readonly string[] | undefined
  /** Whether queries by GET and QUERY have an ETag, and `If-None-Match` is answered with 304. Default: false. */
  readonly etag?: boolean | undefined
  /** Whether `@cacheControl` of the schema and `request.cacheHint()` set `Cache-Control` for queries by GET and QUERY. Default: false. */
  readonly cacheHints?: boolean | undefined
  /** Accepts lists of requests and lists of variables, within these limits; `{}` for the defaults. Default: both are refused. */
  readonly batch?: BatchNumbers | undefined
  /** Accepts files by the multipart request specification: what `uploads()` of `@graphwire/uploads` returns. Default: multipart bodies are refused. */
  readonly uploads?: UploadReader | undefined
  /** Decoders of compressed request bodies by coding, such as those of 'graphwire/node'; other codings are 415. Default: none. */
  readonly decoders?: Decoders | undefined
  /** Arguments that set the size of a list, for the cost. Default: ['limit', 'first', 'last']. */
  readonly costSizeArguments?: readonly string[] | undefined
  /** Limits of documents to report instead of enforce, while you learn what clients send. Default: none. */
  readonly reportOnly?: readonly ReportableLimit[] | 'all' | undefined
  /** Makes the id of a masked error or a bug. Default: crypto.randomUUID. */
  createId?(head?: RequestHead<Raw>): string
}

const anExtension: Shape = {
  expected: 'what defineExtension() returns',
  fits: (value) => typeof (value as Partial<AnyExtension> | null)?.extend === 'function',
}

/** A path into an input object, for example, would never match an argument. */
const argumentName: Shape = {
  expected: 'the name of an argument such as "first"',
  fits: (value) => typeof value === 'string' && /^[_A-Za-z]\w*$/.test(value),
}

/** The codings of a request are compared in lower case: a decoder of another name would never be used. */
const codingNames: Shape = {
  expected: 'the name of a coding in lower case, such as "gzip"',
  fits: (name) => contentCoding(['content-encoding', String(name)]) === name,
}

const oneReportable = oneOf(reportableLimits)

const aReportableLimit: Shape = {
  ...oneReportable,
  hint: (value) =>
    value === 'maxNesting'
      ? ' maxNesting is always enforced.'
      : (oneReportable.hint?.(value) ?? ''),
}

/** The valid values of each option. An option without a row does not compile. */
export const optionShapes: Shapes<Options> = {
  ...numberShapes,
  ...documentShapes,
  ...hookShapes,
  schema: required(anything), // checked further by `checkServable`
  rootValue: anything,
  context: aFunction,
  use: listOf('a list of extensions', anExtension),
  validationRules: listOf('a list of validation rules', aFunction),
  execute: aFunction,
  subscribe: aFunction,
  execution: aFunction,
  incremental: aBoolean,
  graphql: moduleShape,
  channels: aBoolean,
  introspection: aBoolean,
  suggestions: aBoolean,
  maskErrors: aBoolean,
  credentialsFirst: aBoolean,
  webSocketOperations: oneOf(['all', 'subscriptions']),
  edition: { ...oneOf(editionNames), fits: isEdition },
  partialSuccessStatus: oneOf([294, 200]),
  path: absolutePath,
  ide: objectOf<Ide>(
    'createIde()',
    { page: required(aFunction), asset: required(aFunction) },
    { isOpen: true },
  ),
  cors: corsShape,
  get: aBoolean,
  getHeaders: headerNames,
  etag: aBoolean,
  cacheHints: aBoolean,
  batch: batchShape,
  uploads: uploadsShape,
  decoders: recordOf('{ gzip: decoders.gzip }', aFunction, codingNames),
  costSizeArguments: listOf('a list of names', argumentName),
  reportOnly: wordOr('all', listOf('a list of limits', aReportableLimit)),
  createId: aFunction,
}

function isEdition(value: unknown): boolean {
  return typeof value === 'string' && findEdition(value) !== undefined
}

export const handlerShape: Shape = objectOf<Options>('{ schema }', optionShapes)
