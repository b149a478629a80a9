import { resolveNumbers, type NumberRow, type Resolved } from '../../../shapes/index.js'
import { compiledExecution } from '../../../compiled/index.js'
import { decoders, type ServeOptions } from '../../../hosts/node/index.js'
import { batchRows } from '../../../options/batch-options.js'
import { choose, numbersOf } from '../../arguments/flag.js'
import type { Plan } from './plan.js'
import { servedRows, type ServeFlags } from './serve-flags.js'

export interface ClosedModule {
  /** Is called after the server has closed, before the process ends. */
  readonly onClose?: (() => unknown) | undefined
}

/** The options that a module may export: all but `port` and `host`, which are flags. */
export type ModuleOptions = Omit<ServeOptions, 'port' | 'host'> & ClosedModule

export type PlannedOptions = ModuleOptions &
  Pick<ServeFlags, 'path' | 'introspection' | 'get' | 'etag'> & {
    readonly edition: NonNullable<ModuleOptions['edition']>
    readonly reportOnly: ServeFlags['report-only']
    readonly livePath: string | false
    readonly readyPath: string | false
  } & Resolved<typeof servedRows>

/** A flag or variable overrides the module, and the module overrides the default. */
export function applyPlan(plan: Plan, module: ModuleOptions): PlannedOptions {
  const { cors, ide, gzip } = plan
  return {
    ...module,
    ...resolveNumbers(servedRows, { ...module, ...numbersOf(servedRows, plan) }),
    path: choose(plan.path, module.path),
    edition: choose(plan.edition, module.edition),
    introspection: choose(plan.introspection, module.introspection),
    cors: cors.from === undefined ? module.cors : cors.value && { origins: cors.value },
    get: choose(plan.get, module.get),
    etag: choose(plan.etag, module.etag),
    cacheHints: choose(plan['cache-hints'], module.cacheHints),
    reportOnly: choose(plan['report-only'], module.reportOnly),
    trustedOnly: choose(plan['trusted-only'], module.trustedOnly),
    livePath: choose(plan['live-path'], module.livePath),
    readyPath: choose(plan['ready-path'], module.readyPath),
    ide: ide.from === undefined || ide.value ? module.ide : undefined,
    batch: withBatches(plan, module),
    execution: withCompiler(plan, module),
    websocket: withSockets(plan, module),
    decoders: choose({ ...gzip, value: gzip.value ? decoders : undefined }, module.decoders),
  }
}

/** The numbers that are not the defaults, such as limits that were raised. */
export function changedNumbers(
  options: PlannedOptions,
): readonly { readonly name: string; readonly value: number; readonly row: NumberRow }[] {
  return Object.entries<NumberRow>(servedRows).flatMap(([name, row]) => {
    const value = options[name as keyof typeof servedRows]
    return value === row.default ? [] : [{ name, value, row }]
  })
}

/** A flag turns batches on or off; numbers of a flag override those of the module. */
function withBatches(plan: Plan, { batch }: ModuleOptions): ModuleOptions['batch'] {
  const { value, from } = plan.batch
  if (from === undefined) return batch
  return value ? { ...batch, ...numbersOf(batchRows, plan) } : undefined
}

/** The flag turns compiling off; a module may execute in its own way. */
function withCompiler({ compiled }: Plan, { execute, execution }: ModuleOptions) {
  if (!compiled.value) return undefined
  return execution ?? (execute === undefined ? compiledExecution() : undefined)
}

/** A flag turns sockets on or off; by default, a schema with subscriptions does. The module can have options for them. */
function withSockets(plan: Plan, { websocket, schema }: ModuleOptions) {
  const flag = plan.websocket.value
  if (flag === false) return false
  if (typeof websocket === 'object') return websocket
  const isUseful = typeof schema === 'object' && schema.getSubscriptionType() != null
  return flag ?? websocket ?? isUseful
}
