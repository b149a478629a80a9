import { decoders, type ServeOptions } from '../../hosts/node/index.js'
import type { FlagOptions, Plan } from './plan.js'

/** The options as a module gives them; where to listen is not for it to say. */
export type ModuleOptions = Omit<ServeOptions, 'port' | 'host'>

/** The options with everything decided that the command line has a say in. */
export type PlannedOptions = ModuleOptions & FlagOptions

/** What was given as a flag or variable wins over the module, and the module over our defaults. */
export function applyPlan({ options: given, gzip }: Plan, options: ModuleOptions): PlannedOptions {
  const module: { readonly [name: string]: unknown } = { ...options }
  const planned = Object.entries(given).map(([name, { value, from }]) => [
    name,
    from === undefined ? (module[name] ?? value) : value,
  ])
  const unpacked = gzip.value ? decoders : undefined
  return {
    ...options,
    // The loop above has made a value of its option's own type for each name of the plan.
    ...(Object.fromEntries(planned) as FlagOptions),
    decoders: gzip.from === undefined ? (options.decoders ?? unpacked) : unpacked,
  }
}
