import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { programsAreRequired } from './clients/find-program.js'

/** Packages that tests start or compare with. They are large, so they have a lockfile of their own. */
export const installed: string = fileURLToPath(
  new URL('../../../spec-tests/exhaustive/installed/', import.meta.url),
)

const isAbsent = !existsSync(`${installed}node_modules`) && !programsAreRequired

/** Why a test that needs them is skipped. */
export const skip: string | false =
  isAbsent && 'its packages are absent: npm ci --prefix spec-tests/exhaustive/installed'
