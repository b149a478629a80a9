import { serve } from '../../hosts/node/index.js'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import { applyPlan, type PlannedOptions } from './apply-plan.js'
import { listFacts, type Fact } from './banner.js'
import { loadOptions } from './load-options.js'
import { filesOf, type Plan } from './plan.js'

/** A server that listens, and what to tell people of it. */
export interface Started {
  readonly url: string
  readonly facts: readonly Fact[]
  readonly close: () => Promise<void>
}

/** Loads what the plan names and listens. */
export async function startServer(plan: Plan): Promise<Outcome<Started, CliError>> {
  const loaded = await loadOptions(plan)
  if (!loaded.ok) return loaded
  const options = applyPlan(plan, loaded.value)
  try {
    const served = await serve(options)
    const facts = listFacts(plan, options)
    return { ok: true, value: { url: served.url, facts, close: () => served.close() } }
  } catch (error) {
    return describeFailure(plan, options, error)
  }
}

function describeFailure(
  plan: Plan,
  { host, port }: PlannedOptions,
  error: unknown,
): Outcome<never, CliError> {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return fail(
      'port-in-use',
      `Port ${port} of ${host} is in use: stop what listens there, or choose another by --port.`,
    )
  }
  // Only what the system refused has a call; the rest is the handler, which does not like an option.
  if (syscall !== undefined) {
    return fail('configuration', `Cannot listen on port ${port} of ${host}: ${message}.`)
  }
  const [file] = filesOf(plan)
  return fail('configuration', `${file === undefined ? '' : `${file}: `}${message}`)
}
