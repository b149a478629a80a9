import { compiledExecution } from '../../../compiled/index.js'
import { decoders, type ServeOptions } from '../../../hosts/node/index.js'
import { resolveNumbers, type Resolved } from '../../../shapes/number-row.js'
import { servedRows, type ServedNumbers } from './number-flags.js'
import type { FlagOptions, Plan } from './plan.js'

/** The options that a module may export: all but `port` and `host`, which are flags. */
export type ModuleOptions = Omit<ServeOptions, 'port' | 'host'>

/** The options after applying the command line. */
export type PlannedOptions = ModuleOptions & FlagOptions & Resolved<ServedNumbers>

/** A flag or variable overrides the module, and the module overrides the default. */
export function applyPlan(
  { options: flags, numbers, ide, batch, batchNumbers, gzip, compiled, websocket }: Plan,
  options: ModuleOptions,
): PlannedOptions {
  const module: { readonly [name: string]: unknown } = { ...options }
  const planned = Object.entries(flags).map(([name, { value, from }]) => [
    name,
    from === undefined ? (module[name] ?? value) : value,
  ])
  const unpacked = gzip.value ? decoders : undefined
  return {
    ...options,
    // The loop above has set a value of the right type for each option of the plan.
    ...(Object.fromEntries(planned) as FlagOptions),
    ...resolveNumbers<ServedNumbers>(servedRows, { ...options, ...numbers }),
    ide: ide.from === undefined || ide.value ? options.ide : undefined,
    batch: withBatches(batch, batchNumbers, options),
    execution: withCompiler(compiled.value, options),
    websocket: withSockets(websocket.value, options),
    decoders: gzip.from === undefined ? (options.decoders ?? unpacked) : unpacked,
  }
}

/** A flag turns batches on or off; numbers of a flag override those of the module. */
function withBatches(
  { value, from }: Plan['batch'],
  numbers: Plan['batchNumbers'],
  { batch }: ModuleOptions,
): ModuleOptions['batch'] {
  if (from === undefined) return batch
  return value ? { ...batch, ...numbers } : undefined
}

/** The flag turns compiling off; a module may execute in its own way. */
function withCompiler(
  flag: boolean,
  { execute, execution }: ModuleOptions,
): ModuleOptions['execution'] {
  if (!flag) return undefined
  return execution ?? (execute === undefined ? compiledExecution() : undefined)
}

/** A flag turns sockets on or off; the module may say how, and the schema whether they are of use. */
function withSockets(
  flag: boolean | undefined,
  { websocket, schema }: ModuleOptions,
): ModuleOptions['websocket'] {
  if (flag === false) return false
  if (typeof websocket === 'object') return websocket
  const isUseful = typeof schema === 'object' && schema.getSubscriptionType() != null
  return flag ?? websocket ?? isUseful
}
