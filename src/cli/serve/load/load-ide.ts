import type { Ide } from '../../../index.js'
import { importInstalled } from '../../process/import-installed.js'
import type { PlannedOptions } from '../flags/apply-plan.js'
import type { Plan } from '../flags/plan.js'

export const idePackage = '@graphwire/ide'

/** Adds the IDE of the package, if it is on and installed, and if the module does not bring one. */
export async function withIde({ ide }: Plan, options: PlannedOptions): Promise<PlannedOptions> {
  if (!ide.value || options.ide !== undefined) return options
  const found = await importInstalled<{ readonly createIde: () => Ide }>(idePackage)
  return found === undefined ? options : { ...options, ide: found.createIde() }
}
