const windowMs = 10_000
const maxDeaths = 5
const firstPauseMs = 100

/**
 * Makes a function that counts the deaths of workers. It returns the pause before the next start, which
 * doubles; undefined means that they die too fast to go on.
 */
export function createDeathLog(now: () => number): () => number | undefined {
  let deaths: readonly number[] = []
  return () => {
    const at = now()
    deaths = [...deaths.filter((death) => at - death < windowMs), at]
    if (deaths.length >= maxDeaths) return undefined
    return deaths.length === 1 ? 0 : firstPauseMs * 2 ** (deaths.length - 2)
  }
}
