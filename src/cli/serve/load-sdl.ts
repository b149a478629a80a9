import { buildSchema, type Resolvers } from '../../engine/build-schema.js'
import { locateFaults } from '../../engine/locate-faults.js'
import { SchemaError, type Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { ModuleOptions } from './apply-plan.js'
import { formatGraphQLErrors } from './format-fault.js'
import { importModule, noExport } from './import-module.js'
import { readTextFile } from './read-text-file.js'

/** The schema of an SDL file, with the resolvers of a module where there is one. */
export async function loadSdl(
  file: string,
  resolversFile: string | undefined,
): Promise<Outcome<ModuleOptions, CliError>> {
  const [sdl, resolvers] = await Promise.all([readTextFile(file), loadResolvers(resolversFile)])
  if (!sdl.ok) return sdl
  if (!resolvers.ok) return resolvers
  try {
    return { ok: true, value: { schema: buildSchema(sdl.value, resolvers.value, file) } }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // Only resolvers that do not fit are a SchemaError.
    if (error instanceof SchemaError) {
      return fail('configuration', `${resolversFile}: ${error.message}`)
    }
    const faults = locateFaults(error, sdl.value, file)
    return fail(
      'configuration',
      faults.length === 0 ? `${file}: ${error.message}` : formatGraphQLErrors(faults, file),
    )
  }
}

async function loadResolvers(file: string | undefined): Promise<Outcome<Resolvers, CliError>> {
  if (file === undefined) return { ok: true, value: {} }
  const exports = await importModule(file)
  if (!exports.ok) return exports
  const resolvers = exports.value['resolvers'] ?? exports.value['default']
  if (typeof resolvers === 'object' && resolvers !== null) {
    return { ok: true, value: resolvers as Resolvers }
  }
  if (resolvers === undefined)
    return fail('configuration', noExport(file, 'resolvers', exports.value))
  const got = resolvers === null ? 'null' : `a ${typeof resolvers}`
  return fail('configuration', `${file}: expected resolvers by type and field, got ${got}.`)
}
