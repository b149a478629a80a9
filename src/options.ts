import type { GraphQLFormattedError, GraphQLSchema } from 'graphql'
import { checkSchema } from './engine/check-schema.js'
import type { EngineSettings } from './engine/engine.js'
import type { ExecuteFunction } from './engine/execute.js'
import type { BugDetails, ErrorSettings } from './engine/format-errors.js'
import { safeIdMaker, safeReporter } from './report-bug.js'
import { installedGraphQL, type GraphQLModule, type ValidationRule } from './engine/graphql.js'
import type { HeaderRecord } from './http/response-headers.js'
import type { HttpResponse, RequestHead } from './http/message.js'
import type { OperationRequest } from './operation-request.js'
import type { Outcome } from './outcome.js'
import type { Denial } from './refusal.js'
import { editions, type Edition, type EditionName } from './response/editions.js'

/** A value, or the promise of one. */
export type Awaitable<Value> = Value | PromiseLike<Value>

/** Everything that `createHandler` takes. Only `schema` is required. */
export interface Options<Raw = unknown, Principal = unknown> {
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
  /** The longest URL in characters. Default: 8,192. */
  readonly maxUrlLength?: number | undefined
  /** The largest number of header lines. Default: 100. */
  readonly maxHeaderCount?: number | undefined
  /** The largest body in bytes. Default: 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** How long an operation may take, in milliseconds. Default: 10,000. */
  readonly executionTimeout?: number | undefined
  /** How many documents each schema keeps parsed and validated. Default: 500. */
  readonly documentCacheEntries?: number | undefined
  /** How many bytes those documents may take, as estimated from their source. Default: 8 MiB. */
  readonly documentCacheBytes?: number | undefined
  /** Makes the id of a masked error. Default: crypto.randomUUID. */
  createId?(): string
}

/** The options with nothing left to decide; made once per handler. */
export interface Settings extends ErrorSettings, EngineSettings {
  readonly schema: GraphQLSchema | ((head: RequestHead) => Awaitable<GraphQLSchema>)
  readonly rootValue: unknown
  readonly context: ((request: OperationRequest) => unknown) | undefined
  readonly authenticate: ((head: RequestHead) => Awaitable<Outcome<unknown, Denial>>) | undefined
  readonly admit: ((request: OperationRequest) => Awaitable<Denial | undefined>) | undefined
  readonly responseHeaders:
    | ((response: HttpResponse, head: RequestHead) => HeaderRecord | undefined)
    | undefined
  readonly edition: Edition
  readonly path: string | undefined
  readonly maxUrlLength: number
  readonly maxHeaderCount: number
  readonly maxBodyBytes: number
  readonly executionTimeout: number
}

/** Fills in the defaults and checks what can be checked now: a mistake is told at once, not at a request. */
export function resolveOptions<Raw, Principal>(options: Options<Raw, Principal>): Settings {
  const {
    graphql = installedGraphQL,
    introspection = true,
    suggestions = introspection,
    edition = '2026-08',
    validationRules = [],
  } = options
  // The handler passes a request of its own making to each user function: the types hold by construction.
  const given = options as unknown as Options
  if (typeof given.schema !== 'function') checkSchema(graphql, given.schema)
  return {
    graphql,
    schema: typeof given.schema === 'function' ? given.schema.bind(given) : given.schema,
    rootValue: given.rootValue,
    context: given.context?.bind(given),
    validationRules: [
      ...graphql.specifiedRules,
      ...(introspection ? [] : [graphql.NoSchemaIntrospectionCustomRule]),
      ...validationRules,
    ],
    execute: given.execute,
    hideSuggestions: !suggestions,
    maskErrors: given.maskErrors ?? true,
    formatError: given.formatError?.bind(given),
    onBug: safeReporter(given.onBug?.bind(given)),
    createId: safeIdMaker(given.createId?.bind(given)),
    authenticate: given.authenticate?.bind(given),
    admit: given.admit?.bind(given),
    responseHeaders: given.responseHeaders?.bind(given),
    edition: withPartialStatus(editionNamed(edition), given.partialSuccessStatus),
    path: checkPath(given.path),
    maxUrlLength: numberOf(given, 'maxUrlLength', 8192, 1),
    maxHeaderCount: numberOf(given, 'maxHeaderCount', 100, 1),
    maxBodyBytes: numberOf(given, 'maxBodyBytes', 1024 * 1024, 0),
    executionTimeout: numberOf(given, 'executionTimeout', 10_000, 1, maxTimeout),
    documentCacheEntries: numberOf(given, 'documentCacheEntries', 500, 0),
    documentCacheBytes: numberOf(given, 'documentCacheBytes', 8 * 1024 * 1024, 0),
  }
}

function editionNamed(name: string): Edition {
  if (!Object.hasOwn(editions, name)) {
    throw new TypeError(
      `edition: expected one of ${Object.keys(editions).join(', ')}, got ${JSON.stringify(name)}.`,
    )
  }
  return editions[name as EditionName]
}

function withPartialStatus(edition: Edition, status: 294 | 200 = 294): Edition {
  if (![200, 294].includes(status)) {
    throw new TypeError(`partialSuccessStatus: expected 294 or 200, got ${status}.`)
  }
  return status === 294
    ? edition
    : {
        ...edition,
        partial: { 'application/graphql-response+json': 200, 'application/json': 200 },
      }
}

function checkPath(path: string | undefined): string | undefined {
  if (path !== undefined && !/^\/[^?#\s]*$/.test(path)) {
    throw new TypeError(
      `path: expected an absolute path without query, such as "/graphql", got ${JSON.stringify(path)}.`,
    )
  }
  return path
}

/** What a timer can hold: above it fires at once. */
const maxTimeout = 2 ** 31 - 1

type NumericOption =
  | 'maxUrlLength'
  | 'maxHeaderCount'
  | 'maxBodyBytes'
  | 'executionTimeout'
  | 'documentCacheEntries'
  | 'documentCacheBytes'

function numberOf(
  options: Pick<Options, NumericOption>,
  name: NumericOption,
  fallback: number,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  const value: unknown = options[name] ?? fallback
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw new TypeError(`${name}: expected a number from ${least} to ${most}, got ${String(value)}.`)
}
