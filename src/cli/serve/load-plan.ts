import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import { applyPlan, type PlannedOptions } from './apply-plan.js'
import { listFacts, type Fact } from './banner.js'
import { loadOptions } from './load-options.js'
import { filesOf, type Plan } from './plan.js'

/** What a process serves, and what to tell people of it. */
export interface Loaded {
  readonly options: PlannedOptions
  readonly facts: readonly Fact[]
}

/** Loads what the plan names. */
export async function loadPlan(plan: Plan): Promise<Outcome<Loaded, CliError>> {
  const loaded = await loadOptions(plan)
  if (!loaded.ok) return loaded
  const options = applyPlan(plan, loaded.value)
  return { ok: true, value: { options, facts: listFacts(plan, options) } }
}

/** What the handler or its host does not like of the options. */
export function refusedOption(plan: Plan, error: unknown): ReturnType<typeof fail> {
  const [file] = filesOf(plan)
  return fail(
    'configuration',
    `${file === undefined ? '' : `${file}: `}${(error as Error).message}`,
  )
}
