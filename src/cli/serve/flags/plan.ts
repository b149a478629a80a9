import { extname } from 'node:path'
import type { EditionName, Outcome } from '../../../index.js'
import { fail, type CliError } from '../../process/cli-error.js'
import {
  closeRows,
  type CloseOptions,
  type CloseSettings,
} from '../../../hosts/node/server/close-options.js'
import { batchRows, type BatchNumbers } from '../../../options/batch-options.js'
import { resolveNumbers, type NumberRow } from '../../../shapes/number-row.js'
import type { AnyFlagValues, FlagValue, FlagValues } from '../../arguments/flag.js'
import type { Environment } from '../../arguments/read-flags.js'
import type { ServeFlags } from './serve-flags.js'
import type { CertificateFiles } from '../certificate/load-certificate.js'
import type { CapabilityName } from './capabilities.js'
import type { LogFormat } from '../metrics/log-line.js'
import type { Origins, ReportOnly } from './flag-values.js'
import { numbersOf, servedRows, type ServedNumbers } from './number-flags.js'

/** Where the schema comes from. */
export type SchemaSource =
  | { readonly kind: 'standard'; readonly capabilities: readonly CapabilityName[] }
  | { readonly kind: 'sdl'; readonly file: string; readonly resolvers: string | undefined }
  | { readonly kind: 'module'; readonly file: string }

/** The options with a flag, apart from numbers. */
export interface FlagOptions {
  readonly path: string
  readonly edition: EditionName
  readonly introspection: boolean
  readonly cors: { readonly origins: Origins } | undefined
  readonly get: boolean
  readonly etag: boolean
  readonly cacheHints: boolean
  readonly reportOnly: ReportOnly
  readonly trustedOnly: boolean
  readonly livePath: string | false
  readonly readyPath: string | false
}

/** How connections are encrypted. */
interface TlsPlan {
  readonly files: CertificateFiles
  readonly http2: boolean
}

/** Everything that a process needs to serve, as plain data that goes to workers as JSON. */
export interface Plan {
  readonly source: SchemaSource
  readonly data: string | undefined
  /** The manifests of stored documents; none: those of the module, if it has any. */
  readonly documents: readonly string[]
  readonly port: FlagValue<number>
  readonly host: FlagValue<string>
  readonly options: FlagValues<FlagOptions>
  /** The numbers set by flags or variables; others come from the module or the defaults. */
  readonly numbers: ServedNumbers
  readonly batch: FlagValue<boolean>
  /** The limits of batches set by flags or variables. */
  readonly batchNumbers: BatchNumbers
  readonly ide: FlagValue<boolean>
  readonly gzip: FlagValue<boolean>
  readonly compiled: FlagValue<boolean>
  /** Undefined: on if the schema has subscriptions. */
  readonly websocket: FlagValue<boolean | undefined>
  /** Undefined without encryption, or if a module sets `tls`. */
  readonly tls: TlsPlan | undefined
  readonly log: LogFormat | 'off'
  /** The path of the metrics. */
  readonly metrics: string | false
  readonly stop: CloseSettings
}

/** Decides what to serve; fails if flags cannot be combined. */
export function toPlan(
  flags: FlagValues<ServeFlags>,
  positionals: readonly string[],
  env: Environment,
): Outcome<Plan, CliError> {
  const source = flags.standard.value
    ? standardSource(flags, positionals)
    : fileSource(flags, positionals)
  if (!source.ok) return source
  const unwatched = flags['watch-documents']
  if (unwatched.value && flags.documents.value.length === 0) {
    return fail('usage', `${unwatched.from} requires --documents: there is no file to watch.`)
  }
  const stop = stopTimes(flags)
  if (!stop.ok) return stop
  const tls = tlsPlan(flags)
  if (!tls.ok) return tls
  const batchNumbers = batchLimits(flags, flags.batch.value)
  if (!batchNumbers.ok) return batchNumbers
  const ide = { value: flags.ide.value ?? !isProduction(env), from: flags.ide.from }
  const { data, port, host, batch, gzip, compiled, websocket } = flags
  return {
    ok: true,
    value: {
      source: source.value,
      data: data.value,
      documents: flags.documents.value,
      port,
      host,
      options: flagOptions(flags, env),
      numbers: numbersOf(servedRows, flags),
      batch,
      batchNumbers: batchNumbers.value,
      ide,
      gzip,
      compiled,
      websocket,
      tls: tls.value,
      log: flags.log.value,
      metrics: flags.metrics.value,
      stop: stop.value,
    },
  }
}

function batchLimits(flags: AnyFlagValues, isOn: boolean): Outcome<BatchNumbers, CliError> {
  const names = Object.values<NumberRow>(batchRows).map(({ flag = '' }) => flag)
  const alone = names.map((name) => flags[name]?.from).find((from) => from !== undefined)
  return isOn || alone === undefined
    ? { ok: true, value: numbersOf(batchRows, flags) }
    : fail('usage', `${alone} requires --batch.`)
}

function tlsPlan({
  'tls-cert': cert,
  'tls-key': key,
  http2,
}: FlagValues<ServeFlags>): Outcome<TlsPlan | undefined, CliError> {
  if (cert.value !== undefined && key.value !== undefined) {
    const files = { cert: cert.value, key: key.value }
    return { ok: true, value: { files, http2: http2.value } }
  }
  const alone = cert.from ?? key.from
  if (alone !== undefined) {
    const missing = cert.value === undefined ? '--tls-cert' : '--tls-key'
    return fail('usage', `${alone} requires ${missing}.`)
  }
  if (http2.from !== undefined) {
    return fail('usage', `${http2.from} requires --tls-cert and --tls-key.`)
  }
  return { ok: true, value: undefined }
}

function flagOptions(flags: FlagValues<ServeFlags>, env: Environment): Plan['options'] {
  const { path, edition, introspection, cors, get, etag } = flags
  return {
    path,
    edition,
    introspection: {
      value: introspection.value ?? !isProduction(env),
      from: introspection.from,
    },
    cors: { value: cors.value && { origins: cors.value }, from: cors.from },
    get,
    etag,
    cacheHints: flags['cache-hints'],
    reportOnly: flags['report-only'],
    trustedOnly: flags['trusted-only'],
    livePath: flags['live-path'],
    readyPath: flags['ready-path'],
  }
}

function isProduction(env: Environment): boolean {
  return env['NODE_ENV'] === 'production'
}

function stopTimes(flags: AnyFlagValues): Outcome<CloseSettings, CliError> {
  const times = resolveNumbers<CloseOptions>(closeRows, numbersOf(closeRows, flags))
  if (times.delay < times.deadline) return { ok: true, value: times }
  return fail(
    'usage',
    `--drain-delay (${times.delay} ms) must be less than --deadline (${times.deadline} ms).`,
  )
}

function standardSource(
  { resolvers, data, watch, standard, capabilities }: FlagValues<ServeFlags>,
  positionals: readonly string[],
): Outcome<SchemaSource, CliError> {
  const unwanted = positionals[0] ?? resolvers.from ?? data.from
  if (unwanted !== undefined) {
    return fail('usage', `${standard.from} has its own schema and data: remove ${unwanted}.`)
  }
  if (watch.value) {
    return fail(
      'usage',
      `${watch.from} cannot be used with ${standard.from}: there is no file to watch.`,
    )
  }
  return { ok: true, value: { kind: 'standard', capabilities: capabilities.value } }
}

function fileSource(
  { resolvers, capabilities }: FlagValues<ServeFlags>,
  positionals: readonly string[],
): Outcome<SchemaSource, CliError> {
  if (capabilities.from !== undefined) {
    return fail(
      'usage',
      `${capabilities.from} requires --standard: it is for the conformance suite.`,
    )
  }
  const [file, ...more] = positionals
  if (file === undefined) {
    return fail('usage', 'serve requires a schema file, or --standard.')
  }
  if (more.length > 0) {
    return fail('usage', `serve takes one schema file, got ${positionals.join(', ')}.`)
  }
  const extension = extname(file).toLowerCase()
  if (sdlExtensions.includes(extension)) {
    return { ok: true, value: { kind: 'sdl', file, resolvers: resolvers.value } }
  }
  if (!moduleExtensions.includes(extension)) {
    return fail(
      'usage',
      `${file} is not a schema file: expected SDL (${sdlExtensions.join(', ')}) ` +
        `or a module (${moduleExtensions.join(', ')}).`,
    )
  }
  if (resolvers.from !== undefined) {
    return fail(
      'usage',
      `${resolvers.from} requires an SDL file: the module ${file} has its own resolvers.`,
    )
  }
  return { ok: true, value: { kind: 'module', file } }
}

/** Whether a file name is that of SDL or of a module. */
export function isSchemaFile(file: string): boolean {
  return [...sdlExtensions, ...moduleExtensions].includes(extname(file).toLowerCase())
}

const sdlExtensions: readonly string[] = ['.graphql', '.graphqls', '.gql']
const moduleExtensions: readonly string[] = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']

/** The files that the user has named. */
export function filesOf({ source, data }: Plan): readonly string[] {
  if (source.kind === 'standard') return []
  const resolvers = source.kind === 'sdl' ? source.resolvers : undefined
  return [source.file, resolvers, data].filter((file) => file !== undefined)
}
