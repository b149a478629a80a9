import { createClientReader, type AddressReader } from '../http/client-address.js'
import { createCors, type Cors } from '../http/cors.js'
import { checkServable } from '../graphql/schema/check-servable.js'
import type { EngineSettings } from '../graphql/engine.js'
import type { ErrorSettings } from '../graphql/errors/format-errors.js'
import { installedGraphQL } from '../graphql/js/graphql.js'
import { reportableLimits } from '../graphql/limits/limits.js'
import { resolveDocuments, type DocumentOptionSettings } from './document-options.js'
import { resolveBatch, type BatchSettings } from './batch-options.js'
import { readNumbers, requestRows, type NumericSettings } from './numeric-options.js'
import type { Hooks } from './hooks.js'
import { optionShapes, type Options } from './options.js'
import { printReport, printStuck, safeHook, safeIdMaker, safeReporter } from './report.js'
import type { BugReporter, RequestInfo } from './request-info.js'
import type { Decoders } from '../over-http/request/read-body.js'
import { usualFailureRules, type FailureRules } from '../over-http/code-statuses.js'
import { endpointMethods } from '../over-http/methods.js'
import { defaultEdition, findEdition, type Edition } from '../over-http/editions.js'
import type { StuckSource } from '../streams/streams.js'

type Hook<Name extends keyof Hooks> = NonNullable<Hooks[Name]>

/** The options with all defaults filled in; made once per handler. */
export interface Settings
  extends ErrorSettings, EngineSettings, NumericSettings, DocumentOptionSettings, FailureRules {
  readonly schema: Options['schema']
  readonly rootValue: unknown
  readonly context: Options['context']
  readonly authenticate: Hooks['authenticate']
  readonly credentialsFirst: boolean
  readonly admit: Hooks['admit']
  readonly webSocketOperations: 'all' | 'subscriptions'
  /** Of the embedder and of extensions, the innermost first. */
  readonly around: readonly Hook<'around'>[]
  readonly responseHeaders: readonly Hook<'responseHeaders'>[]
  readonly responseExtensions: readonly Hook<'responseExtensions'>[]
  readonly onResult: Hook<'onResult'> | undefined
  readonly onBug: BugReporter
  readonly createId: (request?: RequestInfo) => string
  /** Whether an option sees credentials: then only private caches may store a response. */
  readonly isPersonal: boolean
  readonly edition: Edition
  readonly path: string | undefined
  readonly ide: Options['ide']
  /** Whether GET is accepted for queries, and which headers it must have. */
  readonly get: boolean
  /** The methods that are served, beside OPTIONS. */
  readonly methods: readonly string[]
  readonly getHeaders: readonly string[]
  readonly etag: boolean
  readonly cacheHints: boolean
  readonly cors: Cors
  /** Undefined if batches are refused. */
  readonly batch: BatchSettings | undefined
  /** Undefined if multipart bodies are refused. */
  readonly uploads: Options['uploads']
  readonly decoders: Decoders
  /** Identifies the client; undefined if unknown. */
  readonly clientOf: AddressReader
  readonly onStuck: (source: StuckSource) => void
  readonly onStreamEnd: Hooks['onStreamEnd']
  readonly onHandshake: Hooks['onHandshake']
  readonly credentialExpiry: Hooks['credentialExpiry']
  readonly recheck: Hooks['recheck']
}

/** Fills in the defaults of options that have been checked; messages name the `caller`. */
export function resolveOptions<Raw, Principal>(
  caller: string,
  options: Options<Raw, Principal>,
): Settings {
  const {
    graphql = installedGraphQL,
    introspection = true,
    suggestions = introspection,
    edition = defaultEdition,
  } = options
  // Hooks get request objects made by the handler, so their types hold by construction.
  const own = toPlain(options as unknown as Options)
  if (own.execute !== undefined && own.execution !== undefined) {
    throw new TypeError(
      `${caller}: expected execute or execution, not both: execution runs operations itself.`,
    )
  }
  const checked = (own.use ?? []).reduceRight((inner, { extend }) => extend(inner), own)
  if (typeof checked.schema !== 'function') checkServable(graphql, checked, caller)
  const report = safeReporter(checked.onBug?.bind(checked))
  return {
    ...(checked as AllOptions),
    graphql,
    validationRules: [
      ...graphql.specifiedRules,
      ...(introspection ? [] : [graphql.NoSchemaIntrospectionCustomRule]),
      ...(checked.validationRules ?? []),
    ],
    incremental: checked.incremental ?? true,
    channels: checked.channels ?? true,
    hideSuggestions: !suggestions,
    maskErrors: checked.maskErrors ?? true,
    // The engine passes the request on without knowing its type.
    formatError: checked.formatError?.bind(checked) as ErrorSettings['formatError'],
    onBug: report,
    ...usualFailureRules,
    createId: safeIdMaker(checked.createId?.bind(checked)),
    credentialsFirst: checked.credentialsFirst ?? false,
    webSocketOperations: checked.webSocketOperations ?? 'all',
    ...readLayers(own),
    isPersonal: isPersonal([checked, ...layersOf(own)]),
    edition: withPartialStatus(findEdition(edition) as Edition, checked.partialSuccessStatus),
    ...readMethods(checked),
    ...readBodies(checked),
    costSizeArguments: checked.costSizeArguments ?? usualSizeArguments,
    reportOnly: new Set(checked.reportOnly === 'all' ? reportableLimits : checked.reportOnly),
    onLimit: safeHook('onLimit', checked.onLimit?.bind(checked), printReport, report),
    onStuck: safeHook('onStuck', checked.onStuck?.bind(checked), printStuck, report),
    ...resolveDocuments(caller, checked),
    ...readNumbers(checked),
  }
}

/**
 * The options as a plain object with bound functions: extensions make other objects of it, without the private members that
 * the instance of a class has. `execute` and `subscribe` are compared with those of graphql-js, and `rootValue` may have members, so these are not bound.
 */
function toPlain(options: Options): Options {
  const members = Object.keys(optionShapes).map((name) => {
    const value = options[name as keyof Options]
    const isBound = typeof value === 'function' && !asGiven.has(name)
    return [name, isBound ? (value.bind(options) as unknown) : value] as const
  })
  return Object.fromEntries(members) as unknown as Options
}

const asGiven = new Set(['rootValue', 'execute', 'subscribe'])

/** With all names, as `toPlain` makes them. */
type AllOptions = { readonly [name in keyof Required<Options>]: Options[name] }

/** The hooks of the embedder, and those of extensions from the innermost to the outermost. */
function layersOf(options: Options): readonly Hooks[] {
  return [options, ...(options.use ?? []).map(({ hooks }) => hooks).toReversed()]
}

function readLayers(options: Options) {
  const layers = layersOf(options)
  return {
    around: hooksOf('around', layers),
    responseHeaders: hooksOf('responseHeaders', layers),
    responseExtensions: hooksOf('responseExtensions', layers),
  }
}

function hooksOf<Name extends keyof Hooks>(name: Name, layers: readonly Hooks[]): Hook<Name>[] {
  return layers.flatMap((layer) => (layer[name]?.bind(layer) as Hook<Name> | undefined) ?? [])
}

/** Which bodies are accepted beside uncompressed JSON, and which client sends them. */
function readBodies({ batch, decoders = {}, trustedProxies }: Options) {
  const clientOf = createClientReader(trustedProxies ?? requestRows.trustedProxies.default)
  return { batch: resolveBatch(batch), decoders, clientOf }
}

/** The methods, what a GET can get besides results, and the headers that it must have. */
function readMethods(options: Options) {
  const { get = true, getHeaders = [], etag = false, cacheHints = false } = options
  const methods = endpointMethods(get)
  return {
    get,
    methods,
    cors: createCors(options.cors, () => methods.join(', ')),
    getHeaders: getHeaders.map((name) => name.toLowerCase()),
    etag,
    cacheHints,
  }
}

/** Each of these sees the head of the request, including its cookies and credentials. */
function isPersonal(layers: readonly (Hooks & Partial<Options>)[]): boolean {
  const seeing = ['authenticate', 'admit', 'around', 'context'] as const
  return layers.some(
    (layer) =>
      typeof layer.schema === 'function' || seeing.some((name) => layer[name] !== undefined),
  )
}

const usualSizeArguments = ['limit', 'first', 'last']

function withPartialStatus(edition: Edition, status: 294 | 200 = 294): Edition {
  return status === 294 ? edition : { ...edition, partial: status }
}
