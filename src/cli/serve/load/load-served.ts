import type { Outcome } from '../../../index.js'
import type { FlagValues } from '../../arguments/flag.js'
import { readValues, type Environment } from '../../arguments/read-flags.js'
import type { CliError } from '../../process/cli-error.js'
import { applyPlan, type PlannedOptions } from '../flags/apply-plan.js'
import { toPlan, type Plan } from '../flags/plan.js'
import { serveFlags, type ServeFlags } from '../flags/serve-flags.js'
import { withIde } from './load-ide.js'
import { loadOptions } from './load-plan.js'

/** What `serve` would serve. */
export interface LoadedServer {
  readonly plan: Plan
  readonly options: PlannedOptions
}

/** Loads what `serve` would serve of the same files, flags and variables, without its certificate. */
export async function loadServed(
  files: readonly string[],
  flags: Partial<FlagValues<ServeFlags>>,
  env: Environment,
): Promise<Outcome<LoadedServer, CliError>> {
  const values = readValues({ positionals: [], texts: new Map() }, serveFlags, env)
  if (!values.ok) return values
  const plan = toPlan({ ...values.value, ...flags }, files)
  if (!plan.ok) return plan
  const loaded = await loadOptions(plan.value.source, plan.value.data.value)
  if (!loaded.ok) return loaded
  const options = await withIde(plan.value, applyPlan(plan.value, loaded.value))
  return { ok: true, value: { plan: plan.value, options } }
}
