import { decoders, type ServeOptions } from '../../../hosts/node/index.js'
import { resolveNumbers, type Resolved } from '../../../shapes/number-row.js'
import { servedRows, type ServedNumbers } from './number-flags.js'
import type { FlagOptions, Plan } from './plan.js'

/** The options as a module gives them; where to listen is not for it to say. */
export type ModuleOptions = Omit<ServeOptions, 'port' | 'host'>

/** The options with everything decided that the command line has a say in. */
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
    // The loop above has made a value of its option's own type for each name of the plan.
    ...(Object.fromEntries(planned) as FlagOptions),
    ...resolveNumbers<ServedNumbers>(servedRows, { ...options, ...numbers }),
    decoders: gzip.from === undefined ? (options.decoders ?? unpacked) : unpacked,
  }
}
