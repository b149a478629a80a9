/** Collects rejections that are not handled, until it is stopped. Other listeners, as of a test runner, do not hear of them. */
export function watchRejections(): { readonly rejections: unknown[]; stop(): void } {
  const rejections: unknown[] = []
  const others = process.rawListeners('unhandledRejection') as NodeJS.UnhandledRejectionListener[]
  process.removeAllListeners('unhandledRejection')
  const add = (reason: unknown): void => void rejections.push(reason)
  process.on('unhandledRejection', add)
  return {
    rejections,
    stop: () => {
      process.off('unhandledRejection', add)
      for (const other of others) process.on('unhandledRejection', other)
    },
  }
}
