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
  { options: flags, numbers, gzip }: Plan,
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
    decoders: gzip.from === undefined ? (options.decoders ?? unpacked) : unpacked,
  }
}
