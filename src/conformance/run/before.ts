import { setTimeout as sleep } from 'node:timers/promises'

/** The result of the work, or `late` if the limit or an abort comes first. */
export async function before<Value, Late>(
  work: Promise<Value>,
  limit: number,
  signal: AbortSignal | undefined,
  late: Late,
): Promise<Value | Late> {
  const done = new AbortController()
  const signals = [done.signal, ...(signal === undefined ? [] : [signal])]
  const end = sleep(limit, late, { signal: AbortSignal.any(signals) }).catch(() => late)
  try {
    return await Promise.race([work, end])
  } finally {
    done.abort()
  }
}
