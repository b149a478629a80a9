import { aFunction, checkOptions, objectOf, type Shape, tagOf } from '../../../shapes/index.js'
import { buildSchema, SchemaError, type Ide, type Resolvers } from '../../../index.js'
import { membersOf } from '../../../shapes/members.js'
import {
  applyPlan,
  type ClosedModule,
  type PlannedOptions,
  type ModuleOptions,
} from '../flags/apply-plan.js'
import { optionsOf } from '../flags/capabilities.js'
import { idePackage, type Plan, type ServedSchema, toPlan } from '../flags/plan.js'
import { locateFaults, schemaFaults } from '../../../graphql/schema/check-schema.js'
import { readTextFile } from '../../process/read-text-file.js'
import { describeThrown, importExport, loadData, loadDocuments } from './load-file.js'
import { loadCertificate } from '../certificate.js'
import { importInstalled } from '../../process/import-installed.js'
import { formatGraphQLErrors } from './file-fault.js'
import type { ServeOptions } from '../../../hosts/node/index.js'
import { serveShapes } from '../../../hosts/node/server/serve.js'
import { fail, orFail } from '../../process/exit.js'
import type { FlagValues } from '../../arguments/flag.js'
import { readArguments } from '../../arguments/read-flags.js'
import { serveFlags, type ServeFlags } from '../flags/serve-flags.js'
import type { Environment } from '../../process/terminal.js'

export async function loadPlan(plan: Plan): Promise<PlannedOptions> {
  const { source, data, certificate: files, http2 } = plan
  const loaded = await loadOptions(source, data.value)
  const manifests = plan.documents.value
  // Those of the command line replace those of a module.
  const stored = manifests.length === 0 ? {} : { documents: await loadDocuments(manifests) }
  const options = await withIde(plan, applyPlan(plan, { ...loaded, ...stored }))
  if (files === undefined) return options
  const certificate = await loadCertificate(files)
  const offered = http2.value && (options.tls?.http2 ?? true)
  return { ...options, tls: { ...membersOf(options.tls ?? {}), ...certificate, http2: offered } }
}

/** Adds the IDE of the package, if it is on and installed, and if the module does not bring one. */
async function withIde({ ide }: Plan, options: PlannedOptions): Promise<PlannedOptions> {
  if (!ide.value || options.ide !== undefined) return options
  const found = await importInstalled<{ readonly createIde: () => Ide }>(idePackage)
  return found === undefined ? options : { ...options, ide: found.createIde() }
}

/** The options of the handler from the user's files, with a valid schema. */
export async function loadOptions(source: ServedSchema, data?: string): Promise<ModuleOptions> {
  const options = await loadSource(source)
  const { schema } = options
  if (typeof schema !== 'function' && source.kind !== 'standard') {
    const faults = schemaFaults(schema)
    if (faults.length > 0) fail('configuration', formatGraphQLErrors(faults, source.file))
  }
  if (data === undefined) return options
  const rootValue = await loadData(data, typeof schema === 'function' ? undefined : schema)
  return { ...options, rootValue }
}

async function loadSource(source: ServedSchema): Promise<ModuleOptions> {
  if (source.kind === 'sdl') return loadSdl(source.file, source.resolvers)
  if (source.kind === 'module') return loadModule(source.file)
  const { createStandardSchema } = await import('../../../standard/standard-schema.js')
  return { schema: createStandardSchema(), ...(await optionsOf(source.capabilities)) }
}

async function loadSdl(file: string, resolversFile?: string): Promise<ModuleOptions> {
  const sdl = await readTextFile(file)
  const { resolvers, onClose } = await loadResolvers(resolversFile)
  const owner = resolversFile ?? file
  let schema
  try {
    schema = buildSchema(sdl, resolvers, { fileName: file })
  } catch (error) {
    const ofResolvers = (): string =>
      error instanceof SchemaError ? `${owner}: ${error.message}` : describeThrown(owner, error)
    fail('configuration', findSdlFault(sdl, file) ?? ofResolvers())
  }
  return checkModule(owner, { schema, onClose })
}

/** What is wrong with the SDL itself, without resolvers. */
function findSdlFault(sdl: string, file: string): string | undefined {
  try {
    buildSchema(sdl, {}, { fileName: file })
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // The parser of graphql-js recurses.
    if (error instanceof RangeError) return `${file}: the schema is nested too deeply.`
    const faults = locateFaults(error, sdl, file)
    return faults.length === 0 ? `${file}: ${error.message}` : formatGraphQLErrors(faults, file)
  }
}

async function loadResolvers(
  file: string | undefined,
): Promise<{ readonly resolvers: Resolvers; readonly onClose?: unknown }> {
  if (file === undefined) return { resolvers: {} }
  const { exported: resolvers, onClose } = await importExport(file, 'resolvers', 'default')
  if (typeof resolvers === 'object' && resolvers !== null) {
    return { resolvers: resolvers as Resolvers, onClose }
  }
  const kind = resolvers === null ? 'null' : `a ${typeof resolvers}`
  return fail('configuration', `${file}: expected resolvers by type and field, got ${kind}.`)
}

/** The options that a module exports: a schema, a function that returns one, or options with one. */
async function loadModule(file: string): Promise<ModuleOptions> {
  const { exported, onClose } = await importExport(file, 'default', 'schema')
  const make = (): unknown => (typeof exported === 'function' ? exported() : exported)
  const value = await orFail('configuration', make, (error) => describeThrown(file, error))
  const tag = tagOf(value)
  if (tag === 'GraphQLSchema') return checkModule(file, { schema: value, onClose })
  if (typeof value === 'object' && value !== null && 'schema' in value) {
    return checkModule(file, { onClose, ...membersOf(value) })
  }
  const expected = 'a GraphQLSchema, a function that returns one, or options with a schema'
  return fail('configuration', `${file}: expected ${expected}, got ${tag}.`)
}

async function checkModule(file: string, value: object): Promise<ModuleOptions> {
  await orFail('configuration', () => checkOptions(file, value, moduleShape))
  return value as ModuleOptions
}

const setByFlag = (flag: string): Shape => ({
  expected: flag,
  fits: () => true,
  findInside: (_, path) => `${path} cannot be set by a module: use ${flag}.`,
})

/** A module cannot set the port and the host, which are flags. */
const moduleShape = objectOf<ServeOptions & ClosedModule>('{ schema }', {
  ...serveShapes,
  onClose: aFunction,
  port: setByFlag('--port'),
  host: setByFlag('--host'),
})

/** Loads what `serve` would serve of the same files, flags and variables. */
export async function loadServed(
  files: readonly string[],
  flags: Partial<FlagValues<ServeFlags>>,
  env: Environment,
): Promise<PlannedOptions> {
  const defaults = readArguments([], serveFlags, env)
  return loadPlan(toPlan({ ...defaults.flags, ...flags }, files))
}
