import type { CaseReport, Report } from '../../conformance/index.js'
import { exitCodes } from '../process/outcome.js'

/** What fails a run: a broken MUST of the edition; also one of HTTP or a streaming protocol; also a broken SHOULD. */
export type FailOn = 'edition' | 'http' | 'warn'

/**
 * An error of the runner must not look like success, and neither must a run of all cases without any result,
 * such as one against a target that never responds, or a run that stopped early.
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

/** Whether a case fails the run. An outdated list of known failures always does. */
export function failsRun({ verdict, layer, known }: CaseReport, failOn: FailOn): boolean {
  const isOwn = layer === undefined || layer === 'edition' || known !== undefined
  if (verdict === 'fail') return failOn !== 'edition' || isOwn
  return verdict === 'warn' && failOn === 'warn'
}
