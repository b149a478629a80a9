import { failure, success, type Outcome } from 'graphwire'

/** Runs work, some at once; a failure where too much of it waits already. */
export type Queue = <Value>(work: () => Promise<Value>) => Promise<Outcome<Value, 'full'>>

export interface QueueLimits {
  readonly atOnce: number
  readonly waiting: number
}

/** Makes a queue in order of arrival. */
export function createQueue({ atOnce, waiting }: QueueLimits): Queue {
  const turns: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < atOnce) running += 1
    else if (turns.length >= waiting) return failure('full')
    else await new Promise<void>((resolve) => turns.push(resolve))
    try {
      return success(await work())
    } finally {
      // The turn is handed over, so that nobody can slip in between.
      const next = turns.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
