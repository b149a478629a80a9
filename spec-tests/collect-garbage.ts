import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects all garbage. A WeakRef that was made in this turn of the event loop is kept until its end, so that ends first. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  await new Promise((resolve) => setImmediate(resolve))
  const collect = runInNewContext('gc') as () => void
  collect()
}
