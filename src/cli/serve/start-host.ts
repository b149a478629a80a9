import type { IncomingMessage } from 'node:http'
import { createHostServer, toNodeListener, type HostServer } from '../../hosts/node/index.js'
import { checkServedPath } from '../../hosts/node/connection-options.js'
import { createHandler, type Outcome } from '../../index.js'
import type { CliError } from '../cli-error.js'
import { listFacts, type Fact } from './banner.js'
import { loadPlan, refusedOption } from './load-plan.js'
import type { Plan } from './plan.js'

/** A server that gets its connections from the primary, and what to tell people of it. */
export interface Started {
  readonly host: HostServer
  /** The only path that it serves. */
  readonly path: string
  readonly facts: readonly Fact[]
}

/** Loads what the plan names without listening; `isLeaving` makes readiness fail. */
export async function startHost(
  plan: Plan,
  isLeaving: () => boolean,
): Promise<Outcome<Started, CliError>> {
  const loaded = await loadPlan(plan)
  if (!loaded.ok) return loaded
  const options = loaded.value
  try {
    checkServedPath(options.path, options)
    const listener = toNodeListener(createHandler<IncomingMessage>(options), options)
    const ready = (): boolean | Promise<boolean> => !isLeaving() && (options.ready?.() ?? true)
    const host = createHostServer(listener, { ...options, ready })
    return { ok: true, value: { host, path: options.path, facts: listFacts(plan, options) } }
  } catch (error) {
    return refusedOption(plan, error)
  }
}
