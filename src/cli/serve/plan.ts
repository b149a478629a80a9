import { extname } from 'node:path'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { Given, GivenValues } from '../flag.js'
import type { Environment } from '../read-values.js'
import type { ServeFlags } from './flags.js'

/** Where the schema comes from. */
export type SchemaSource =
  | { readonly kind: 'standard' }
  | { readonly kind: 'sdl'; readonly file: string; readonly resolvers: string | undefined }
  | { readonly kind: 'module'; readonly file: string }

/** Everything that a process needs to serve, as plain data that goes to workers as JSON. */
export interface Plan {
  readonly source: SchemaSource
  readonly data: string | undefined
  readonly port: Given<number>
  readonly host: Given<string>
  readonly path: Given<string>
  readonly edition: Given<ServeFlags['edition']>
  readonly introspection: Given<boolean>
  readonly timeout: Given<number>
  readonly maxBody: Given<number>
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
  const { introspection } = given
  return {
    ok: true,
    value: {
      source: source.value,
      data: given.data.value,
      port: given.port,
      host: given.host,
      path: given.path,
      edition: given.edition,
      introspection: {
        value: introspection.value ?? env['NODE_ENV'] !== 'production',
        from: introspection.from,
      },
      timeout: given.timeout,
      maxBody: given['max-body'],
    },
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
