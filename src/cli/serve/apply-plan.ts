import type { IncomingMessage } from 'node:http'
import type { ServeOptions } from '../../hosts/node/index.js'
import type { Options } from '../../index.js'
import type { Given } from '../flag.js'
import type { Plan } from './plan.js'

/** The options as a module gives them. */
export type ModuleOptions = Options<IncomingMessage>

/** The options with everything decided that the command line has a say in. */
export type PlannedOptions = ServeOptions & {
  readonly [name in PlannedName]: NonNullable<ServeOptions[name]>
}

type PlannedName =
  | 'port'
  | 'host'
  | 'path'
  | 'edition'
  | 'introspection'
  | 'executionTimeout'
  | 'maxBodyBytes'

/** What was given as a flag or variable wins over the module, and the module over our defaults. */
export function applyPlan(plan: Plan, options: ModuleOptions): PlannedOptions {
  return {
    ...options,
    port: plan.port.value,
    host: plan.host.value,
    path: prefer(plan.path, options.path),
    edition: prefer(plan.edition, options.edition),
    introspection: prefer(plan.introspection, options.introspection),
    executionTimeout: prefer(plan.timeout, options.executionTimeout),
    maxBodyBytes: prefer(plan.maxBody, options.maxBodyBytes),
  }
}

function prefer<Value>({ value, from }: Given<Value>, other: Value | undefined): Value {
  return from === undefined ? (other ?? value) : value
}
