import type { Outcome } from '../../../index.js'
import type { FlagValues } from '../../arguments/flag.js'
import { readValues, type Environment } from '../../arguments/read-flags.js'
import type { CliError } from '../../process/cli-error.js'
import type { PlannedOptions } from '../flags/apply-plan.js'
import { toPlan, type Plan } from '../flags/plan.js'
import { serveFlags, type ServeFlags } from '../flags/serve-flags.js'
import { loadPlan } from './load-plan.js'

/** What `serve` would serve. */
interface LoadedServer {
  readonly plan: Plan
  readonly options: PlannedOptions
}

/** Loads what `serve` would serve of the same files, flags and variables. */
export async function loadServed(
  files: readonly string[],
  flags: Partial<FlagValues<ServeFlags>>,
  env: Environment,
): Promise<Outcome<LoadedServer, CliError>> {
  const values = readValues({ positionals: [], texts: new Map() }, serveFlags, env)
  if (!values.ok) return values
  const plan = toPlan({ ...values.value, ...flags }, files)
  if (!plan.ok) return plan
  const options = await loadPlan(plan.value)
  return options.ok ? { ok: true, value: { plan: plan.value, options: options.value } } : options
}
