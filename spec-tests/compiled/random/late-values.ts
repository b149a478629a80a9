import type { Random } from '../../fuzz/random.js'

type Late = (random: Random, make: () => unknown) => unknown

/** The ways in which a value can come later: what is thrown rejects. */
export const lateKinds: readonly (readonly [name: string, late: Late])[] = [
  ['a promise', (_, make) => handled(settled(make))],
  ['a promise', (_, make) => handled(settled(make))],
  ['a later promise', (random, make) => handled(later(random.below(6), make))],
  ['a later promise', (random, make) => handled(later(random.below(12), make))],
  ['a thenable', (random, make) => lazy(() => handled(later(random.below(3), make)))],
]

/** A promise in the state of what is made now. */
async function settled(make: () => unknown): Promise<unknown> {
  return make()
}

async function later(hops: number, make: () => unknown): Promise<unknown> {
  for (let left = hops; left > 0; left--) await Promise.resolve()
  return make()
}

/** An executor may leave a rejected promise alone where a null hides it. */
function handled(promise: Promise<unknown>): Promise<unknown> {
  promise.catch(() => undefined)
  return promise
}

/** A thenable like the query builders of databases: it begins when it is asked. */
function lazy(begin: () => Promise<unknown>): PromiseLike<unknown> {
  // oxlint-disable-next-line unicorn/no-thenable -- that is what it is
  return { then: (fulfilled, rejected) => begin().then(fulfilled, rejected) }
}
