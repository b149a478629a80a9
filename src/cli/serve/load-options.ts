import { schemaFaults } from '../../engine/locate-faults.js'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { ModuleOptions } from './apply-plan.js'
import { formatGraphQLErrors } from './format-fault.js'
import type { Plan, SchemaSource } from './plan.js'

/** The options of the handler as the user's files say them, with a schema that is valid. */
export async function loadOptions({
  source,
  data,
}: Plan): Promise<Outcome<ModuleOptions, CliError>> {
  const [options, root] = await Promise.all([
    loadSource(source),
    data === undefined
      ? undefined
      : import('./load-data.js').then(({ loadData }) => loadData(data)),
  ])
  if (!options.ok) return options
  if (root?.ok === false) return root
  const { schema } = options.value
  if (typeof schema !== 'function' && source.kind !== 'standard') {
    const faults = schemaFaults(schema)
    if (faults.length > 0) {
      return fail('configuration', formatGraphQLErrors(faults, source.file))
    }
  }
  return root === undefined
    ? options
    : { ok: true, value: { ...options.value, rootValue: root.value } }
}

async function loadSource(source: SchemaSource): Promise<Outcome<ModuleOptions, CliError>> {
  switch (source.kind) {
    case 'sdl': {
      const { loadSdl } = await import('./load-sdl.js')
      return loadSdl(source.file, source.resolvers)
    }
    case 'module': {
      const { loadModule } = await import('./load-module.js')
      return loadModule(source.file)
    }
    case 'standard': {
      const { createStandardSchema } = await import('../../standard/standard-schema.js')
      return { ok: true, value: { schema: createStandardSchema() } }
    }
  }
}
