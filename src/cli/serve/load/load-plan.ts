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
import { fail, type CliOutcome } from '../../process/outcome.js'
import type { FlagValues } from '../../arguments/flag.js'
import { readValues } from '../../arguments/read-flags.js'
import { serveFlags, type ServeFlags } from '../flags/serve-flags.js'
import type { Environment } from '../../process/terminal.js'

export async function loadPlan(plan: Plan): Promise<CliOutcome<PlannedOptions>> {
  const { source, data, certificate: files, http2 } = plan
  const loaded = await loadOptions(source, data.value)
  if (!loaded.ok) return loaded
  const manifests = plan.documents.value
  const documents = await loadDocuments(manifests)
  if (!documents.ok) return documents
  // Those of the command line replace those of a module.
  const stored = manifests.length === 0 ? {} : { documents: documents.value }
  const options = await withIde(plan, applyPlan(plan, { ...loaded.value, ...stored }))
  if (files === undefined) return { ok: true, value: options }
  const certificate = await loadCertificate(files)
  if (!certificate.ok) return certificate
  const offered = http2.value && (options.tls?.http2 ?? true)
  const tls = { ...membersOf(options.tls ?? {}), ...certificate.value, http2: offered }
  return { ok: true, value: { ...options, tls } }
}

/** Adds the IDE of the package, if it is on and installed, and if the module does not bring one. */
async function withIde({ ide }: Plan, options: PlannedOptions): Promise<PlannedOptions> {
  if (!ide.value || options.ide !== undefined) return options
  const found = await importInstalled<{ readonly createIde: () => Ide }>(idePackage)
  return found === undefined ? options : { ...options, ide: found.createIde() }
}

/** The options of the handler from the user's files, with a valid schema. */
export async function loadOptions(
  source: ServedSchema,
  data?: string,
): Promise<CliOutcome<ModuleOptions>> {
  const options = await loadSource(source)
  if (!options.ok) return options
  const { schema } = options.value
  if (typeof schema !== 'function' && source.kind !== 'standard') {
    const faults = schemaFaults(schema)
    if (faults.length > 0) return fail('configuration', formatGraphQLErrors(faults, source.file))
  }
  if (data === undefined) return options
  const root = await loadData(data, typeof schema === 'function' ? undefined : schema)
  return root.ok ? { ok: true, value: { ...options.value, rootValue: root.value } } : root
}

async function loadSource(source: ServedSchema): Promise<CliOutcome<ModuleOptions>> {
  if (source.kind === 'sdl') return loadSdl(source.file, source.resolvers)
  if (source.kind === 'module') return loadModule(source.file)
  const { createStandardSchema } = await import('../../../standard/standard-schema.js')
  const options = await optionsOf(source.capabilities)
  if (!options.ok) return options
  return { ok: true, value: { schema: createStandardSchema(), ...options.value } }
}

async function loadSdl(file: string, resolversFile?: string): Promise<CliOutcome<ModuleOptions>> {
  const [sdl, resolvers] = await Promise.all([readTextFile(file), loadResolvers(resolversFile)])
  if (!sdl.ok) return sdl
  if (!resolvers.ok) return resolvers
  const { resolvers: functions, onClose } = resolvers.value
  const owner = resolversFile ?? file
  try {
    const schema = buildSchema(sdl.value, functions, { fileName: file })
    return checkModule(owner, { schema, onClose })
  } catch (error) {
    const ofResolvers = (): string =>
      error instanceof SchemaError ? `${owner}: ${error.message}` : describeThrown(owner, error)
    return fail('configuration', findSdlFault(sdl.value, file) ?? ofResolvers())
  }
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
): Promise<CliOutcome<{ readonly resolvers: Resolvers; readonly onClose?: unknown }>> {
  if (file === undefined) return { ok: true, value: { resolvers: {} } }
  const imported = await importExport(file, 'resolvers', 'default')
  if (!imported.ok) return imported
  const { exported: resolvers, onClose } = imported.value
  if (typeof resolvers === 'object' && resolvers !== null) {
    return { ok: true, value: { resolvers: resolvers as Resolvers, onClose } }
  }
  const kind = resolvers === null ? 'null' : `a ${typeof resolvers}`
  return fail('configuration', `${file}: expected resolvers by type and field, got ${kind}.`)
}

/** The options that a module exports: a schema, a function that returns one, or options with one. */
async function loadModule(file: string): Promise<CliOutcome<ModuleOptions>> {
  const imported = await importExport(file, 'default', 'schema')
  if (!imported.ok) return imported
  const { exported, onClose } = imported.value
  try {
    const value: unknown = await (typeof exported === 'function' ? exported() : exported)
    const tag = tagOf(value)
    if (tag === 'GraphQLSchema') return checkModule(file, { schema: value, onClose })
    if (typeof value === 'object' && value !== null && 'schema' in value) {
      return checkModule(file, { onClose, ...membersOf(value) })
    }
    const expected = 'a GraphQLSchema, a function that returns one, or options with a schema'
    return fail('configuration', `${file}: expected ${expected}, got ${tag}.`)
  } catch (error) {
    return fail('configuration', describeThrown(file, error))
  }
}

function checkModule(file: string, value: object): CliOutcome<ModuleOptions> {
  try {
    checkOptions(file, value, moduleShape)
    return { ok: true, value: value as ModuleOptions }
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
): Promise<CliOutcome<PlannedOptions>> {
  const values = readValues({ positionals: [], texts: new Map() }, serveFlags, env)
  if (!values.ok) return values
  const plan = toPlan({ ...values.value, ...flags }, files)
  return plan.ok ? loadPlan(plan.value) : plan
}
