import { Random, seedOf } from './random.js'
import { checkSafely, shrink } from './shrink.js'
import type { TargetMaker } from './target.js'

/** How far a run goes: so many cases, or until a moment. */
export interface Bounds {
  readonly seed: number
  /** The first case, counted from 0. */
  readonly first?: number
  readonly cases?: number
  /** In milliseconds since the epoch. */
  readonly until?: number
  /** After how many failures a run gives up. Default: 1. */
  readonly mostFailures?: number
}

/** An input that broke a rule. */
export interface Failure {
  readonly target: string
  readonly seed: number
  readonly number: number
  readonly verdict: string
  /** The shrunk input, to be pasted into a test. */
  readonly row: string
}

/** What a run did. */
export interface RunReport {
  readonly cases: number
  readonly failures: readonly Failure[]
  /** The case that took longest, in milliseconds. */
  readonly slowest: { readonly number: number; readonly took: number }
}

/** Runs a target within bounds. Every case has a seed of its own, made of the run's and its number. */
export async function runTarget(make: TargetMaker, bounds: Bounds): Promise<RunReport> {
  const { seed, first = 0, cases = Infinity, until = Infinity, mostFailures = 1 } = bounds
  const target = await make()
  const failures: Failure[] = []
  const rules = new Set<string>()
  let number = first
  let slowest = { number, took: 0 }
  try {
    while (number < first + cases && failures.length < mostFailures) {
      if (number % 64 === 0) {
        // Timers and sockets get their turn, and the clock is not asked too often.
        await new Promise((resolve) => setImmediate(resolve))
        if (Date.now() >= until) break
      }
      const input = target.generate(new Random(seedOf(seed, target.name, number)))
      const started = performance.now()
      const verdict = await checkSafely(target, input)
      const took = performance.now() - started
      if (took > slowest.took) slowest = { number, took }
      const rule = verdict?.slice(0, 40)
      if (verdict !== undefined && !rules.has(rule as string)) {
        rules.add(rule as string)
        const smallest = await shrink(target, input, verdict)
        const row = target.row(smallest.input)
        failures.push({ target: target.name, seed, number, verdict: smallest.verdict, row })
      }
      number++
    }
  } finally {
    await target.close?.()
  }
  return { cases: number - first, failures, slowest }
}
