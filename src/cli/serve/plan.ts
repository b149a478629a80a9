import { extname } from 'node:path'
import type { EditionName, Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { Given, GivenValues } from '../flag.js'
import type { Environment } from '../read-values.js'
import type { ServeFlags } from './flags.js'
import type { ReportOnly } from './limit-flags.js'
import type { Origins } from './origins.js'

/** Where the schema comes from. */
export type SchemaSource =
  | { readonly kind: 'standard' }
  | { readonly kind: 'sdl'; readonly file: string; readonly resolvers: string | undefined }
  | { readonly kind: 'module'; readonly file: string }

/** The options that have a flag of their own. */
export interface FlagOptions {
  readonly path: string
  readonly edition: EditionName
  readonly introspection: boolean
  readonly cors: { readonly origins: Origins } | undefined
  readonly get: boolean
  readonly executionTimeout: number
  readonly maxBodyBytes: number
  readonly maxTokens: number
  readonly maxDepth: number
  readonly maxAliases: number
  readonly maxCost: number
  readonly reportOnly: ReportOnly
  readonly maxInFlight: number
  readonly maxEventLoopDelay: number | undefined
  readonly maxSockets: number
  readonly livePath: string | false
  readonly readyPath: string | false
}

/** How the server stops, in milliseconds after the signal. */
export interface StopTimes {
  /** How long it still takes connections, not being ready. */
  readonly delay: number
  readonly grace: number
  readonly deadline: number
}

/** Everything that a process needs to serve, as plain data that goes to workers as JSON. */
export interface Plan {
  readonly source: SchemaSource
  readonly data: string | undefined
  readonly port: Given<number>
  readonly host: Given<string>
  readonly options: GivenValues<FlagOptions>
  readonly gzip: Given<boolean>
  readonly stop: StopTimes
}

/** Decides what to serve, or says which flags do not go together. */
export function toPlan(
  given: GivenValues<ServeFlags>,
  positionals: readonly string[],
  env: Environment,
): Outcome<Plan, CliError> {
  const source = given.standard.value
    ? standardSource(given, positionals)
    : fileSource(given, positionals)
  if (!source.ok) return source
  const stop = stopTimes(given)
  if (!stop.ok) return stop
  const { data, port, host, gzip } = given
  const options = flagOptions(given, env)
  return {
    ok: true,
    value: { source: source.value, data: data.value, port, host, options, gzip, stop: stop.value },
  }
}

function flagOptions(given: GivenValues<ServeFlags>, env: Environment): Plan['options'] {
  const { path, edition, introspection, cors, get } = given
  return {
    path,
    edition,
    introspection: {
      value: introspection.value ?? env['NODE_ENV'] !== 'production',
      from: introspection.from,
    },
    cors: { value: cors.value && { origins: cors.value }, from: cors.from },
    get,
    executionTimeout: given.timeout,
    maxBodyBytes: given['max-body'],
    maxTokens: given['max-tokens'],
    maxDepth: given['max-depth'],
    maxAliases: given['max-aliases'],
    maxCost: given['max-cost'],
    reportOnly: given['report-only'],
    maxInFlight: given['max-in-flight'],
    maxEventLoopDelay: given['max-event-loop-delay'],
    maxSockets: given['max-sockets'],
    livePath: given['live-path'],
    readyPath: given['ready-path'],
  }
}

function stopTimes(given: GivenValues<ServeFlags>): Outcome<StopTimes, CliError> {
  const { 'drain-delay': delay, grace, deadline } = given
  if (delay.value >= deadline.value) {
    return fail(
      'usage',
      `A drain delay of ${delay.value} ms leaves no time to answer: the deadline is ` +
        `${deadline.value} ms after the signal.`,
    )
  }
  return {
    ok: true,
    value: { delay: delay.value, grace: grace.value, deadline: deadline.value },
  }
}

function standardSource(
  { resolvers, data, watch, standard }: GivenValues<ServeFlags>,
  positionals: readonly string[],
): Outcome<SchemaSource, CliError> {
  const unwanted = positionals[0] ?? resolvers.from ?? data.from
  if (unwanted !== undefined) {
    return fail('usage', `${standard.from} brings its own schema and data: leave out ${unwanted}.`)
  }
  if (watch.value) {
    return fail('usage', `${watch.from} has no file to watch beside ${standard.from}.`)
  }
  return { ok: true, value: { kind: 'standard' } }
}

function fileSource(
  { resolvers }: GivenValues<ServeFlags>,
  positionals: readonly string[],
): Outcome<SchemaSource, CliError> {
  const [file, ...more] = positionals
  if (file === undefined) {
    return fail('usage', 'serve needs the file of a schema, or --standard.')
  }
  if (more.length > 0) {
    return fail('usage', `serve takes one schema, and was given ${positionals.join(', ')}.`)
  }
  const extension = extname(file).toLowerCase()
  if (sdlExtensions.includes(extension)) {
    return { ok: true, value: { kind: 'sdl', file, resolvers: resolvers.value } }
  }
  if (!moduleExtensions.includes(extension)) {
    return fail(
      'usage',
      `${file} is no schema: expected SDL (${sdlExtensions.join(', ')}) ` +
        `or a module (${moduleExtensions.join(', ')}).`,
    )
  }
  if (resolvers.from !== undefined) {
    return fail(
      'usage',
      `${resolvers.from} goes with SDL: the module ${file} has its own resolvers.`,
    )
  }
  return { ok: true, value: { kind: 'module', file } }
}

const sdlExtensions: readonly string[] = ['.graphql', '.graphqls', '.gql']
const moduleExtensions: readonly string[] = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']

/** The files that the user has named. */
export function filesOf({ source, data }: Plan): readonly string[] {
  if (source.kind === 'standard') return []
  const resolvers = source.kind === 'sdl' ? source.resolvers : undefined
  return [source.file, resolvers, data].filter((file) => file !== undefined)
}
