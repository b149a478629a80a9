import type { Exchange } from '../wire/exchange.js'
import { applicableOf, judge, worst } from '../judge/judge.js'
import { stoppedReason } from './pace.js'
import type { CaseReport } from '../suite/report.js'
import { reportOf, reportWithout } from './run-case.js'
import type { Wire } from './run-steps.js'
import type { Case } from '../suite/suite.js'

/** Checks the invariants against every response as it comes, so that no body is kept until the end of the run. */
export class InvariantWatch {
  readonly #invariants: readonly Case[]
  readonly #wire: Wire
  /** The report of each broken invariant, with the case that broke it first. */
  readonly #broken = new Map<Case, CaseReport>()
  #seen = 0

  constructor(invariants: readonly Case[], wire: Wire) {
    this.#invariants = invariants
    this.#wire = wire
  }

  /** Checks what a case has received. */
  watch(id: string, exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges.flatMap(single)) {
      this.#seen++
      for (const invariant of this.#invariants) {
        if (!this.#broken.has(invariant)) this.#tryHold(invariant, id, exchange)
      }
    }
  }

  /** The reports of all invariants, in their order. */
  reports(): readonly CaseReport[] {
    return this.#invariants.map(
      (invariant) => this.#broken.get(invariant) ?? this.#whole(invariant),
    )
  }

  #tryHold(invariant: Case, id: string, exchange: Exchange): void {
    try {
      this.#hold(invariant, id, exchange)
    } catch (error) {
      const judged = applicableOf(invariant, this.#wire.statements, this.#wire.edition)
      this.#broken.set(
        invariant,
        reportWithout(invariant, judged, 'error', `${String(error)} (in ${id})`),
      )
    }
  }

  #hold(invariant: Case, id: string, exchange: Exchange): void {
    const { statements, edition } = this.#wire
    const found = worst(judge(invariant.expect ?? [], exchange, statements, edition))
    if (found === undefined) return
    const report = reportOf(invariant, applicableOf(invariant, statements, edition), found)
    this.#broken.set(
      invariant,
      Object.assign(report, { message: `${report.message} (first in ${id})` }),
    )
  }

  #whole(invariant: Case): CaseReport {
    const judged = applicableOf(invariant, this.#wire.statements, this.#wire.edition)
    if (this.#seen > 0) return reportWithout(invariant, judged, 'pass', '')
    const reason =
      this.#wire.pace.stopped === undefined ? 'no response was received' : stoppedReason
    return reportWithout(invariant, judged, 'skip', reason)
  }
}

/** One exchange for each of its responses. */
function single(exchange: Exchange): readonly Exchange[] {
  const { sent, responses } = exchange
  return responses.map((response) => ({ sent, responses: [response] }))
}
