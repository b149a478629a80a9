/** The result of the work, or `late` if the limit or an abort comes first. */
export function before<Value, Late>(
  work: Promise<Value>,
  limit: number,
  signal: AbortSignal | undefined,
  late: Late,
): Promise<Value | Late> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      end()
      resolve(late)
    }
    const timer = setTimeout(giveUp, limit)
    signal?.addEventListener('abort', giveUp)
    work.then(
      (value) => {
        end()
        resolve(value)
      },
      (error: unknown) => {
        end()
        reject(error)
      },
    )
  })
}
