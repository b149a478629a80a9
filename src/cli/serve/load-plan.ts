import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import { applyPlan, type PlannedOptions } from './apply-plan.js'
import { loadOptions } from './load-options.js'
import { filesOf, type Plan } from './plan.js'

/** The options of everything that the plan names. */
export async function loadPlan(plan: Plan): Promise<Outcome<PlannedOptions, CliError>> {
  const loaded = await loadOptions(plan)
  return loaded.ok ? { ok: true, value: applyPlan(plan, loaded.value) } : loaded
}

/** What the handler or its host does not like of the options. */
export function refusedOption(plan: Plan, error: unknown): ReturnType<typeof fail> {
  const [file] = filesOf(plan)
  const { message } = error as Error
  return fail('configuration', file === undefined ? message : `${file}: ${message}`)
}
