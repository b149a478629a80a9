import type { Outcome } from '../../../index.js'
import { membersOf } from '../../../shapes/members.js'
import { fail, type CliError } from '../../process/cli-error.js'
import { applyPlan, type PlannedOptions } from '../flags/apply-plan.js'
import { loadOptions } from './load-options.js'
import { filesOf, type Plan } from '../flags/plan.js'

/** Loads the files of a plan and returns the options. */
export async function loadPlan(plan: Plan): Promise<Outcome<PlannedOptions, CliError>> {
  const loaded = await loadOptions(plan)
  if (!loaded.ok) return loaded
  const options = applyPlan(plan, loaded.value)
  if (plan.tls === undefined) return { ok: true, value: options }
  const { loadCertificate } = await import('../certificate/load-certificate.js')
  const certificate = await loadCertificate(plan.tls.files)
  if (!certificate.ok) return certificate
  const http2 = plan.tls.http2 && (options.tls?.http2 ?? true)
  const tls = { ...membersOf(options.tls ?? {}), ...certificate.value, http2 }
  return { ok: true, value: { ...options, tls } }
}

/** The first mistake that the handler or its host finds in the options. */
export function refusedOption(error: unknown): ReturnType<typeof fail> {
  return fail('configuration', (error as Error).message)
}

/** What messages about options begin with. */
export function nameOf(plan: Plan): string {
  return filesOf(plan)[0] ?? 'serve'
}
