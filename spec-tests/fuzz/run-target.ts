import { Random, seedOf } from './random.js'
import { checkSafely, shrink } from './shrink.js'
import type { TargetMaker } from './target.js'

interface Bounds {
  readonly seed: number
  /** The first case, counted from 0. */
  readonly first?: number
  readonly cases: number
  /** After how many failures a run gives up. Default: 1. */
  readonly mostFailures?: number
}

interface Failure {
  readonly target: string
  readonly seed: number
  readonly number: number
  readonly verdict: string
  /** The shrunk input, to be pasted into a test. */
  readonly row: string
}

/** Runs a target within bounds. Every case has a seed of its own, made of the run's and its number. */
export async function runTarget(
  make: TargetMaker,
  { seed, first = 0, cases, mostFailures = 1 }: Bounds,
): Promise<{ readonly cases: number; readonly failures: readonly Failure[] }> {
  const target = await make()
  const failures: Failure[] = []
  const rules = new Set<string>()
  let number = first
  try {
    for (; number < first + cases && failures.length < mostFailures; number++) {
      // Timers and sockets get their turn.
      if (number % 64 === 0) await new Promise((resolve) => setImmediate(resolve))
      const input = target.generate(new Random(seedOf(seed, target.name, number)))
      const verdict = await checkSafely(target, input)
      const rule = verdict?.slice(0, 40)
      if (verdict === undefined || rules.has(rule as string)) continue
      rules.add(rule as string)
      const smallest = await shrink(target, input, verdict)
      const row = target.row?.(smallest.input) ?? JSON.stringify(smallest.input)
      failures.push({ target: target.name, seed, number, verdict: smallest.verdict, row })
    }
  } finally {
    await target.close?.()
  }
  return { cases: number - first, failures }
}
