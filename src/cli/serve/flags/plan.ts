import { extname } from 'node:path'
import type { Outcome } from '../../../index.js'
import { fail, type CliError } from '../../process/cli-error.js'
import {
  closeRows,
  type CloseOptions,
  type CloseSettings,
} from '../../../hosts/node/server/close-options.js'
import { batchRows } from '../../../options/batch-options.js'
import { resolveNumbers, type NumberRow } from '../../../shapes/number-row.js'
import { numbersOf, type AnyFlagValues, type FlagValues } from '../../arguments/flag.js'
import type { ServeFlags } from './serve-flags.js'
import type { CertificateFiles } from '../certificate/load-certificate.js'
import type { CapabilityName } from './capabilities.js'

/** Where the schema comes from. */
export type ServedSchema =
  | { readonly kind: 'standard'; readonly capabilities: readonly CapabilityName[] }
  | { readonly kind: 'sdl'; readonly file: string; readonly resolvers: string | undefined }
  | { readonly kind: 'module'; readonly file: string }

/** Everything that a process needs to serve, as plain data that goes to workers as JSON: the flags, and what several of them decide. */
export interface Plan extends FlagValues<ServeFlags> {
  readonly source: ServedSchema
  /** Undefined without encryption, or if a module sets `tls`. */
  readonly certificate: CertificateFiles | undefined
  readonly stop: CloseSettings
}

/** Decides what to serve; fails if flags cannot be combined. */
export function toPlan(
  flags: FlagValues<ServeFlags>,
  positionals: readonly string[],
): Outcome<Plan, CliError> {
  const stop = resolveNumbers<CloseOptions>(closeRows, numbersOf(closeRows, flags))
  const fault = findConflict(flags, positionals, stop)
  if (fault !== undefined) return fail('usage', fault)
  const [cert, key] = [flags['tls-cert'].value, flags['tls-key'].value]
  const certificate = cert === undefined || key === undefined ? undefined : { cert, key }
  return { ok: true, value: { ...flags, source: sourceOf(flags, positionals), certificate, stop } }
}

function findConflict(
  flags: FlagValues<ServeFlags>,
  positionals: readonly string[],
  { delay, deadline }: CloseSettings,
): string | undefined {
  const { batch, documents, http2, 'tls-cert': cert, 'tls-key': key } = flags
  const inSource = flags.standard.value
    ? findStandardConflict(flags, positionals)
    : findFileConflict(flags, positionals)
  if (inSource !== undefined) return inSource
  const watching = flags['watch-documents']
  if (watching.value && documents.value.length === 0) {
    return `${watching.from} requires --documents: there is no file to watch.`
  }
  if (delay >= deadline) {
    return `--drain-delay (${delay} ms) must be less than --deadline (${deadline} ms).`
  }
  if ((cert.value === undefined) !== (key.value === undefined)) {
    return `${cert.from ?? key.from} requires ${cert.value === undefined ? '--tls-cert' : '--tls-key'}.`
  }
  if (cert.value === undefined && http2.from !== undefined) {
    return `${http2.from} requires --tls-cert and --tls-key.`
  }
  const alone = Object.values<NumberRow>(batchRows)
    .map(({ flag = '' }) => (flags as AnyFlagValues)[flag]?.from)
    .find((from) => from !== undefined)
  return batch.value || alone === undefined ? undefined : `${alone} requires --batch.`
}

function findStandardConflict(
  { resolvers, data, watch, standard }: FlagValues<ServeFlags>,
  positionals: readonly string[],
): string | undefined {
  const unwanted = positionals[0] ?? resolvers.from ?? data.from
  if (unwanted !== undefined) {
    return `${standard.from} has its own schema and data: remove ${unwanted}.`
  }
  return watch.value
    ? `${watch.from} cannot be used with ${standard.from}: there is no file to watch.`
    : undefined
}

function findFileConflict(
  { resolvers, capabilities }: FlagValues<ServeFlags>,
  positionals: readonly string[],
): string | undefined {
  const [file, ...more] = positionals
  if (capabilities.from !== undefined) {
    return `${capabilities.from} requires --standard: it is for the conformance suite.`
  }
  if (file === undefined) return 'serve requires a schema file, or --standard.'
  if (more.length > 0) return `serve takes one schema file, got ${positionals.join(', ')}.`
  if (!isSchemaFile(file)) {
    const expected = `SDL (${sdlExtensions.join(', ')}) or a module (${moduleExtensions.join(', ')})`
    return `${file} is not a schema file: expected ${expected}.`
  }
  return resolvers.from === undefined || isSdl(file)
    ? undefined
    : `${resolvers.from} requires an SDL file: the module ${file} has its own resolvers.`
}

function sourceOf(
  { standard, capabilities, resolvers }: FlagValues<ServeFlags>,
  [file = '']: readonly string[],
): ServedSchema {
  if (standard.value) return { kind: 'standard', capabilities: capabilities.value }
  return isSdl(file) ? { kind: 'sdl', file, resolvers: resolvers.value } : { kind: 'module', file }
}

/** Whether a file name is that of SDL or of a module. */
export function isSchemaFile(file: string): boolean {
  return isSdl(file) || moduleExtensions.includes(extname(file).toLowerCase())
}

function isSdl(file: string): boolean {
  return sdlExtensions.includes(extname(file).toLowerCase())
}

const sdlExtensions: readonly string[] = ['.graphql', '.graphqls', '.gql']
const moduleExtensions: readonly string[] = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']

/** The files that the user has named. */
export function filesOf({ source, data }: Plan): readonly string[] {
  if (source.kind === 'standard') return []
  const resolvers = source.kind === 'sdl' ? source.resolvers : undefined
  return [source.file, resolvers, data.value].filter((file) => file !== undefined)
}
