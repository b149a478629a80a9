import { serve, type Served } from '../../hosts/node/index.js'
import type { Outcome } from '../../index.js'
import type { CliError } from '../cli-error.js'
import { listFacts, type Fact } from './banner.js'
import { listenFailure } from './listen-failure.js'
import { loadPlan, refusedOption } from './load-plan.js'
import type { Plan } from './plan.js'

/** A server that listens, and what to tell people of it. */
export interface Started {
  readonly served: Served
  readonly facts: readonly Fact[]
}

/** Loads what the plan names and listens. */
export async function startServer(plan: Plan): Promise<Outcome<Started, CliError>> {
  const loaded = await loadPlan(plan)
  if (!loaded.ok) return loaded
  const options = loaded.value
  const [host, port] = [plan.host.value, plan.port.value]
  try {
    const served = await serve({ ...options, host, port })
    return { ok: true, value: { served, facts: listFacts(plan, options) } }
  } catch (error) {
    return listenFailure(host, port, error) ?? refusedOption(plan, error)
  }
}
