import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Verdict } from '../../fuzz/target.js'

/** Longer than this nothing here takes, on a slow machine too. */
const patience = 20_000

/** The verdict, or `otherwise` if it does not come. */
export async function within(verdict: Promise<Verdict>, otherwise: string): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => resolve(`hang: ${otherwise}`), patience)
  })
  const first = await Promise.race([verdict, late])
  clearTimeout(timer)
  return first
}

export async function until(isTrue: () => boolean): Promise<undefined> {
  while (!isTrue()) await nextTurn()
}
