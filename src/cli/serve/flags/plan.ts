import { extname } from 'node:path'
import { resolveNumbers, type NumberRow } from '../../../shapes/index.js'
import { closeRows, type CloseSettings } from '../../../hosts/node/server/close-options.js'
import { batchRows } from '../../../options/batch-options.js'
import { numbersOf, type AnyFlagValues, type FlagValues } from '../../arguments/flag.js'
import type { ServeFlags } from './serve-flags.js'
import type { CertificateFiles } from '../certificate.js'
import { fail } from '../../process/exit.js'

export type ServedSchema =
  | { readonly kind: 'standard'; readonly capabilities: 'all' | readonly string[] }
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
export function toPlan(flags: FlagValues<ServeFlags>, positionals: readonly string[]): Plan {
  const source = chooseSource(flags, positionals)
  const stop = resolveNumbers(closeRows, numbersOf(closeRows, flags))
  checkCombination(flags, stop)
  const [cert, key] = [flags['tls-cert'].value, flags['tls-key'].value]
  const certificate = cert === undefined || key === undefined ? undefined : { cert, key }
  return { ...flags, source, certificate, stop }
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

function checkCombination(flags: FlagValues<ServeFlags>, { delay, deadline }: CloseSettings): void {
  for (const [name, needed] of needs) {
    const { from, value } = (flags as AnyFlagValues)[name] ?? {}
    const isSet = from !== undefined && value !== false
    if (isSet && !isOn(flags[needed].value)) fail('usage', `${from} requires --${needed}.`)
  }
  if (delay < deadline) return
  fail('usage', `--drain-delay (${delay} ms) must be less than --deadline (${deadline} ms).`)
}

function isOn(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function chooseSource(flags: FlagValues<ServeFlags>, words: readonly string[]): ServedSchema {
  const { resolvers, data, watch, standard, capabilities } = flags
  const [file, ...more] = words
  if (standard.value) {
    const watching = watch.value ? watch.from : undefined
    const unwanted = file ?? resolvers.from ?? data.from ?? watching
    if (unwanted === undefined) return { kind: 'standard', capabilities: capabilities.value }
    fail('usage', `${standard.from} has its own schema and data: remove ${unwanted}.`)
  }
  if (file === undefined) fail('usage', 'serve requires a schema file, or --standard.')
  if (more.length > 0) fail('usage', `serve takes one schema file, got ${words.join(', ')}.`)
  if (isSdl(file)) return { kind: 'sdl', file, resolvers: resolvers.value }
  if (!isSchemaFile(file)) {
    const expected = `SDL (${sdlExtensions.join(', ')}) or a module (${moduleExtensions.join(', ')})`
    fail('usage', `${file} is not a schema file: expected ${expected}.`)
  }
  if (resolvers.from === undefined) return { kind: 'module', file }
  const owner = `the module ${file} has its own resolvers`
  return fail('usage', `${resolvers.from} requires an SDL file: ${owner}.`)
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
