import type { CaseReport, Report } from '../../conformance/index.js'
import { exitCodes } from '../process/exit-codes.js'

/** What fails a run: a MUST of the edition, also one of HTTP beneath it, also a SHOULD of either. */
export type FailOn = 'edition' | 'http' | 'warn'

/**
 * A fault of the runner must not look green, and neither must a run of everything that found nothing out,
 * such as one against a target that never answers, or a run that stopped early.
 */
export function exitCodeOf(
  { totals, suite, cases, diagnosis }: Pick<Report, 'totals' | 'suite' | 'cases' | 'diagnosis'>,
  failOn: FailOn,
): number {
  const { pass, warn, info, error, fail } = totals
  const isBroken = error > 0 || cases.some((one) => failsRun(one, failOn))
  const isEmpty = suite === 'all' && pass + warn + info + fail === 0
  return exitCodes[isBroken || isEmpty || diagnosis !== undefined ? 'findings' : 'ok'].code
}

/** Whether a case fails the run. A wrong list of known failures always does. */
export function failsRun({ verdict, layer, known }: CaseReport, failOn: FailOn): boolean {
  if (verdict === 'fail') return failOn !== 'edition' || layer !== 'http' || known !== undefined
  return verdict === 'warn' && failOn === 'warn'
}
