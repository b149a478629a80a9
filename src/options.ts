import type { GraphQLFormattedError, GraphQLSchema } from 'graphql'
import type { CorsOptions } from './cors.js'
import type { ExecuteFunction } from './engine/execute.js'
import type { BugDetails } from './engine/format-errors.js'
import type { GraphQLModule, ValidationRule } from './engine/graphql.js'
import type { LimitName, LimitReport } from './engine/limits.js'
import type { HttpResponse, RequestHead } from './http/message.js'
import type { HeaderRecord } from './http/response-headers.js'
import type { NumericOptions } from './numeric-options.js'
import type { OperationRequest } from './operation-request.js'
import type { Outcome } from './outcome.js'
import type { Denial } from './refusal.js'
import type { Decoders } from './request/decode-body.js'
import type { EditionName } from './response/editions.js'

/** A value, or the promise of one. */
export type Awaitable<Value> = Value | PromiseLike<Value>

/** Everything that `createHandler` takes, with the numbers and limits. Only `schema` is required. */
export interface Options<Raw = unknown, Principal = unknown> extends NumericOptions {
  /** The schema, or a function that gives the schema of a request. */
  readonly schema: GraphQLSchema | ((head: RequestHead<Raw>) => Awaitable<GraphQLSchema>)
  /** The `source` of root fields. Default: undefined. */
  readonly rootValue?: unknown
  /** Makes the context value of resolvers. Default: the `OperationRequest` itself. */
  context?(request: OperationRequest<Raw, Principal>): unknown
  /** Validation rules beyond those of the specification. Default: none. */
  readonly validationRules?: readonly ValidationRule[] | undefined
  /** An executor with the signature of graphql-js `execute`. Default: that of the module. */
  readonly execute?: ExecuteFunction | undefined
  /** The graphql-js module to use, where the schema comes from another copy. Default: the one installed beside. */
  readonly graphql?: GraphQLModule | undefined
  /** Whether clients may read the schema. Default: true. */
  readonly introspection?: boolean | undefined
  /** Whether errors may say "Did you mean ...?", which tells names of the schema. Default: as `introspection`. */
  readonly suggestions?: boolean | undefined
  /** Whether errors that were not made for clients are hidden behind an id. Default: true. */
  readonly maskErrors?: boolean | undefined
  /** The last word on how an error of GraphQL is shown; `error` is that of graphql-js, whose `originalError` was thrown. Default: as it is. */
  formatError?(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError
  /** Gets every masked error and every bug, with the id that the client saw. Default: console.error. */
  onBug?(bug: unknown, details: BugDetails): void
  /** Decides before the body is read: who sends this, or that nobody may. Default: everybody may. */
  authenticate?(head: RequestHead<Raw>): Awaitable<Outcome<Principal, Denial>>
  /** Whether `authenticate` comes before a wrong path, method or type is told of. Default: false, cheapest first. */
  readonly credentialsFirst?: boolean | undefined
  /** Decides before execution, with the operation known; a denial turns it away. Default: admits all. */
  admit?(request: OperationRequest<Raw, Principal>): Awaitable<Denial | undefined>
  /** More headers for any answer, refusals included. Default: none. */
  responseHeaders?(response: HttpResponse, head: RequestHead<Raw>): HeaderRecord | undefined
  /** The edition of the specification to follow. Default: '2026-08'. */
  readonly edition?: EditionName | undefined
  /** The status of data beside errors in edition 2026-08, for intermediaries that stumble over 294. Default: 294. */
  readonly partialSuccessStatus?: 294 | 200 | undefined
  /** The only path that is served, such as '/graphql'; others are 404. Default: every path. */
  readonly path?: string | undefined
  /** Which origins of browsers may read answers. Default: none but the server's own. */
  readonly cors?: CorsOptions | undefined
  /** Whether queries may be sent by GET. Default: true. */
  readonly get?: boolean | undefined
  /** Header fields of which a GET must bring at least one, since no form and no link can. Default: none. */
  readonly getHeaders?: readonly string[] | undefined
  /** Decoders of compressed bodies by coding, such as those of 'graphwire/node'; others are 415. Default: none. */
  readonly decoders?: Decoders | undefined
  /** Arguments that say how long a list will be. Default: ['limit', 'first', 'last']. */
  readonly costSizeArguments?: readonly string[] | undefined
  /** Limits of documents that report instead of refuse, until the clients of before are known. Default: none. */
  readonly reportOnly?: readonly LimitName[] | 'all' | undefined
  /** Gets the documents that exceed a limit of `reportOnly`. Default: console.warn. */
  onLimit?(report: LimitReport): void
  /** Makes the id of a masked error. Default: crypto.randomUUID. */
  createId?(): string
}
