import { watchFile } from 'node:fs'

/** How often the files are checked, and how long to wait for another one to change. */
const intervalMs = 1_000
const debounceMs = 200

/**
 * Calls `changed` when a file has changed. It polls, since tools that renew certificates and deploy manifests
 * often replace a link, for which the file itself has no event.
 */
export function pollFiles(files: readonly string[], changed: () => void): void {
  let timer: NodeJS.Timeout | undefined
  const changedSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(changed, debounceMs)
    timer.unref()
  }
  for (const file of files)
    watchFile(file, { persistent: false, interval: intervalMs }, changedSoon)
}
