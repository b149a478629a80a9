import { serveShapes, type ServeOptions } from '../../../hosts/node/server/serve.js'
import type { Outcome } from '../../../index.js'
import { checkOptions, objectOf, type Shape } from '../../../shapes/shape.js'
import { tagOf } from '../../../shapes/show-value.js'
import { fail, type CliError } from '../../process/cli-error.js'
import type { ModuleOptions } from '../flags/apply-plan.js'
import { describeThrown, importModule, noExport } from './import-module.js'

/** The options that a module exports: a schema, a function that returns one, or options with one. */
export async function loadModule(file: string): Promise<Outcome<ModuleOptions, CliError>> {
  const exports = await importModule(file)
  if (!exports.ok) return exports
  const exported = exports.value['default'] ?? exports.value['schema']
  if (exported === undefined) return fail('configuration', noExport(file, 'schema', exports.value))
  try {
    const result: unknown = typeof exported === 'function' ? exported() : exported
    return toOptions(file, await result)
  } catch (error) {
    return fail('configuration', await describeThrown(file, error))
  }
}

function toOptions(file: string, value: unknown): Outcome<ModuleOptions, CliError> {
  const tag = tagOf(value)
  if (tag === 'GraphQLSchema') {
    return { ok: true, value: { schema: value } as unknown as ModuleOptions }
  }
  if (typeof value === 'object' && value !== null && 'schema' in value) {
    return checkModule(file, value)
  }
  return fail(
    'configuration',
    `${file}: expected a GraphQLSchema, a function that returns one, or options with a schema, ` +
      `got ${tag}.`,
  )
}

function checkModule(file: string, value: object): Outcome<ModuleOptions, CliError> {
  try {
    checkOptions(file, value, moduleShape)
    return { ok: true, value: readMembers(value as ModuleOptions) }
  } catch (error) {
    return fail('configuration', (error as Error).message)
  }
}

const setByFlag = (flag: string): Shape => ({
  expected: flag,
  fits: () => true,
  findInside: (_, path) => `${path} cannot be set by a module: use ${flag}.`,
})

/** A module cannot set the port and the host, which are flags. */
const moduleShape = objectOf<ServeOptions>('{ schema }', {
  ...serveShapes,
  port: setByFlag('--port'),
  host: setByFlag('--host'),
})

/** The options that flags are added to; for an instance of a class, with inherited members. */
function readMembers(options: ModuleOptions): ModuleOptions {
  const members: { readonly [name: string]: unknown } = { ...options }
  const inherited = Object.keys(serveShapes).flatMap((name) => {
    const value: unknown = options[name as keyof ModuleOptions]
    if (Object.hasOwn(members, name) || value === undefined) return []
    return [[name, typeof value === 'function' ? value.bind(options) : value] as const]
  })
  return { ...options, ...Object.fromEntries(inherited) }
}
