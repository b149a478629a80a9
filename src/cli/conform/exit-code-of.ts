import type { Report } from '../../conformance/index.js'
import { exitCodes } from '../exit-codes.js'

/**
 * A fault of the runner must not look green, and neither must a run of everything that found nothing out,
 * such as one against a target that never answers.
 */
export function exitCodeOf({ totals, suite }: Pick<Report, 'totals' | 'suite'>): number {
  const { pass, fail, warn, info, error } = totals
  const isBroken = fail + error > 0
  const isEmpty = suite === 'all' && pass + warn + info === 0
  return exitCodes[isBroken || isEmpty ? 'findings' : 'ok'].code
}
