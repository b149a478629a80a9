import type { Ide } from '../../../index.js'
import type { PlannedOptions } from '../flags/apply-plan.js'
import type { Plan } from '../flags/plan.js'

/** An optional peer, so nothing of it is needed to compile this. */
export const idePackage: string = '@graphwire/ide'

/** Adds the IDE of the package, if it is on and installed, and if the module does not bring one. */
export async function withIde({ ide }: Plan, options: PlannedOptions): Promise<PlannedOptions> {
  if (!ide.value || options.ide !== undefined) return options
  const found = await importIde()
  return found === undefined ? options : { ...options, ide: found.createIde() }
}

async function importIde(): Promise<{ readonly createIde: () => Ide } | undefined> {
  try {
    return (await import(idePackage)) as { readonly createIde: () => Ide }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(idePackage)) return undefined
    throw error
  }
}
