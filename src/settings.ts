import type { GraphQLSchema } from 'graphql'
import { createCors, type Cors } from './cors.js'
import { checkSchema } from './engine/check-schema.js'
import type { EngineSettings } from './engine/engine.js'
import type { ErrorSettings } from './engine/format-errors.js'
import { installedGraphQL } from './engine/graphql.js'
import { defaultLimits, type LimitName } from './engine/limits.js'
import type { HttpResponse, RequestHead } from './http/message.js'
import type { HeaderRecord } from './http/response-headers.js'
import { readNumbers, type NumericSettings } from './numeric-options.js'
import type { OperationRequest } from './operation-request.js'
import type { Awaitable, Options } from './options.js'
import type { Outcome } from './outcome.js'
import type { Denial } from './refusal.js'
import { safeLimitReporter } from './report-limit.js'
import { safeIdMaker, safeReporter } from './report-bug.js'
import type { Decoders } from './request/decode-body.js'
import { editions, type Edition, type EditionName } from './response/editions.js'

/** The options with nothing left to decide; made once per handler. */
export interface Settings extends ErrorSettings, EngineSettings, NumericSettings {
  readonly schema: GraphQLSchema | ((head: RequestHead) => Awaitable<GraphQLSchema>)
  readonly rootValue: unknown
  readonly context: ((request: OperationRequest) => unknown) | undefined
  readonly authenticate: ((head: RequestHead) => Awaitable<Outcome<unknown, Denial>>) | undefined
  readonly credentialsFirst: boolean
  readonly admit: ((request: OperationRequest) => Awaitable<Denial | undefined>) | undefined
  readonly responseHeaders:
    | ((response: HttpResponse, head: RequestHead) => HeaderRecord | undefined)
    | undefined
  readonly edition: Edition
  readonly path: string | undefined
  /** Whether a GET may name queries, and what it must bring. */
  readonly get: boolean
  readonly getHeaders: readonly string[]
  readonly cors: Cors
  readonly decoders: Decoders
}

/** Fills in the defaults and checks what can be checked now: a mistake is told at once, not at a request. */
export function resolveOptions<Raw, Principal>(options: Options<Raw, Principal>): Settings {
  const {
    graphql = installedGraphQL,
    introspection = true,
    suggestions = introspection,
    edition = '2026-08',
    validationRules = [],
    get = true,
  } = options
  // The handler passes a request of its own making to each user function: the types hold by construction.
  const given = options as unknown as Options
  if (typeof given.schema !== 'function') checkSchema(graphql, given.schema)
  const report = safeReporter(given.onBug?.bind(given))
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
    onBug: report,
    createId: safeIdMaker(given.createId?.bind(given)),
    authenticate: given.authenticate?.bind(given),
    credentialsFirst: given.credentialsFirst ?? false,
    admit: given.admit?.bind(given),
    responseHeaders: given.responseHeaders?.bind(given),
    edition: withPartialStatus(editionNamed(edition), given.partialSuccessStatus),
    path: checkPath(given.path),
    get,
    getHeaders: checkNames('getHeaders', given.getHeaders ?? []).map((name) => name.toLowerCase()),
    cors: createCors(given.cors, () => (get ? 'GET, HEAD, POST, QUERY' : 'POST, QUERY')),
    decoders: given.decoders ?? {},
    costSizeArguments: checkNames(
      'costSizeArguments',
      given.costSizeArguments ?? usualSizeArguments,
    ),
    reportOnly: checkReportOnly(given.reportOnly),
    onLimit: safeLimitReporter(given.onLimit?.bind(given), report),
    ...readNumbers(given),
  }
}

const usualSizeArguments = ['limit', 'first', 'last']

/** A text in the place of a list of texts would match parts of words. */
function checkNames(option: string, names: readonly string[]): readonly string[] {
  if (Array.isArray(names)) return names
  throw new TypeError(`${option}: expected a list of names, got ${JSON.stringify(names)}.`)
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

/** What parsing cannot bear is refused always. */
const reportable = Object.keys(defaultLimits).filter((name) => name !== 'maxNesting') as LimitName[]

function checkReportOnly(names: readonly LimitName[] | 'all' = []): ReadonlySet<LimitName> {
  if (names === 'all') return new Set(reportable)
  const unknown = names.find((name) => !reportable.includes(name))
  if (unknown === undefined) return new Set(names)
  throw new TypeError(
    `reportOnly: expected 'all' or some of ${reportable.join(', ')}, got ${JSON.stringify(unknown)}.`,
  )
}
