import { extname } from 'node:path'
import { resolveNumbers, type NumberRow } from '../../../shapes/index.js'
import {
  closeRows,
  type CloseOptions,
  type CloseSettings,
} from '../../../hosts/node/server/close-options.js'
import { batchRows } from '../../../options/batch-options.js'
import { numbersOf, type AnyFlagValues, type FlagValues } from '../../arguments/flag.js'
import type { ServeFlags } from './serve-flags.js'
import type { CertificateFiles } from '../certificate.js'
import { fail, type CliOutcome } from '../../process/outcome.js'

export type ServedSchema =
  | { readonly kind: 'standard'; readonly capabilities: readonly string[] }
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
): CliOutcome<Plan> {
  const stop = resolveNumbers<CloseOptions>(closeRows, numbersOf(closeRows, flags))
  const fault = findConflict(flags, positionals, stop)
  if (fault !== undefined) return fail('usage', fault)
  const [cert, key] = [flags['tls-cert'].value, flags['tls-key'].value]
  const certificate = cert === undefined || key === undefined ? undefined : { cert, key }
  return { ok: true, value: { ...flags, source: sourceOf(flags, positionals), certificate, stop } }
}

/** Flags that require another one. */
const needs: readonly (readonly [flag: string, needed: keyof ServeFlags])[] = [
  ['capabilities', 'standard'],
  ['watch-documents', 'documents'],
  ['tls-cert', 'tls-key'],
  ['tls-key', 'tls-cert'],
  ['http2', 'tls-cert'],
  ...Object.values<NumberRow>(batchRows).map(({ flag = '' }) => [flag, 'batch'] as const),
]

function findConflict(
  flags: FlagValues<ServeFlags>,
  positionals: readonly string[],
  { delay, deadline }: CloseSettings,
): string | undefined {
  const inSource = findSourceConflict(flags, positionals)
  if (inSource !== undefined) return inSource
  for (const [name, needed] of needs) {
    const { from, value } = (flags as AnyFlagValues)[name] ?? {}
    const isSet = from !== undefined && value !== false
    if (isSet && !isOn(flags[needed].value)) return `${from} requires --${needed}.`
  }
  return delay < deadline
    ? undefined
    : `--drain-delay (${delay} ms) must be less than --deadline (${deadline} ms).`
}

function isOn(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function findSourceConflict(flags: FlagValues<ServeFlags>, [file, ...more]: readonly string[]) {
  const { resolvers, data, watch, standard } = flags
  if (standard.value) {
    const watching = watch.value ? watch.from : undefined
    const unwanted = file ?? resolvers.from ?? data.from ?? watching
    return unwanted && `${standard.from} has its own schema and data: remove ${unwanted}.`
  }
  if (file === undefined) return 'serve requires a schema file, or --standard.'
  if (more.length > 0) return `serve takes one schema file, got ${[file, ...more].join(', ')}.`
  if (!isSchemaFile(file)) {
    const expected = `SDL (${sdlExtensions.join(', ')}) or a module (${moduleExtensions.join(', ')})`
    return `${file} is not a schema file: expected ${expected}.`
  }
  return resolvers.from === undefined || isSdl(file)
    ? undefined
    : `${resolvers.from} requires an SDL file: the module ${file} has its own resolvers.`
}

function sourceOf(flags: FlagValues<ServeFlags>, [file = '']: readonly string[]): ServedSchema {
  const { standard, capabilities, resolvers } = flags
  if (standard.value) return { kind: 'standard', capabilities: capabilities.value }
  return isSdl(file) ? { kind: 'sdl', file, resolvers: resolvers.value } : { kind: 'module', file }
}

export function isSchemaFile(file: string): boolean {
  return isSdl(file) || moduleExtensions.includes(extname(file).toLowerCase())
}

function isSdl(file: string): boolean {
  return sdlExtensions.includes(extname(file).toLowerCase())
}

const sdlExtensions: readonly string[] = ['.graphql', '.graphqls', '.gql']
const moduleExtensions: readonly string[] = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']

export const idePackage = '@graphwire/ide'

export function filesOf({ source, data }: Plan): readonly string[] {
  if (source.kind === 'standard') return []
  const resolvers = source.kind === 'sdl' ? source.resolvers : undefined
  return [source.file, resolvers, data.value].filter((file) => file !== undefined)
}
