import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { ModuleOptions } from './apply-plan.js'
import { describeThrown, importModule, noExport } from './import-module.js'

/** The options that a module exports: a schema, a function that gives one, or options with one. */
export async function loadModule(file: string): Promise<Outcome<ModuleOptions, CliError>> {
  const exports = await importModule(file)
  if (!exports.ok) return exports
  const exported = exports.value['default'] ?? exports.value['schema']
  if (exported === undefined) return fail('configuration', noExport(file, 'schema', exports.value))
  try {
    const given: unknown = typeof exported === 'function' ? exported() : exported
    return toOptions(file, await given)
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
    return { ok: true, value: value as ModuleOptions }
  }
  return fail(
    'configuration',
    `${file}: expected a GraphQLSchema, a function that gives one, or options with a schema; ` +
      `got ${tag}.`,
  )
}

/** graphql-js tags its classes, which tells a schema of another copy too; that has its own message. */
function tagOf(value: unknown): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  return Object.prototype.toString.call(value).slice(8, -1)
}
