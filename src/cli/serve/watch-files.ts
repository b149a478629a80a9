import { readdirSync, realpathSync, statSync, unwatchFile, watch, watchFile } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'

/** How often the files are checked, and how long a change waits for others to follow. */
const intervalMs = 1_000
const pollDebounceMs = 200

/**
 * Calls `changed` when a file has changed, until the returned function is called. It polls, since tools that renew
 * certificates and deploy manifests or schemas often replace a link, for which the file itself has no event.
 */
export function pollFiles(files: readonly string[], changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const changedSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(changed, pollDebounceMs)
    timer.unref()
  }
  for (const file of files)
    watchFile(file, { persistent: false, interval: intervalMs }, changedSoon)
  return () => {
    clearTimeout(timer)
    for (const file of files) unwatchFile(file, changedSoon)
  }
}

export interface Watching {
  /** The files that the user named. Modules, SDL and JSON in their folders are watched as well. */
  readonly files: readonly string[]
  readonly debounceMs: number
  readonly changed: () => void
  /** Reports folders that cannot be watched. */
  readonly report: (text: string) => void
}

const maxFolders = 1000
const relevant = /\.(?:[cm]?[jt]s|json|graphqls?|gql)$/i
const ignored = /^(?:node_modules$|\.)/

/** Watches folders, since editors replace files, and not recursively, since that would walk through node_modules. */
export function watchFiles({ files, debounceMs, changed, report }: Watching): { close(): void } {
  const named = new Set(files.map((file) => resolve(file)))
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let isFull = false
  const changedSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(changed, debounceMs)
  }
  const forget = (gone: string): void => {
    for (const [folder, watcher] of watchers) {
      if (folder !== gone && !folder.startsWith(gone + sep)) continue
      watcher.close()
      watchers.delete(folder)
    }
  }
  const onEvent = (event: string, folder: string, name: string | null): void => {
    const path = join(folder, name ?? '')
    if (name === null || relevant.test(name) || named.has(path)) changedSoon()
    else if (event === 'rename' && !ignored.test(name) && (watchers.has(path) || isFolder(path))) {
      // A folder was added, removed or replaced: the watcher of a replaced one would stay silent.
      forget(path)
      if (isFolder(path)) add(path)
      changedSoon()
    }
  }
  const add = (folder: string): void => {
    if (watchers.has(folder)) return
    if (watchers.size === maxFolders) {
      if (!isFull) report(`watching the first ${maxFolders} folders only`)
      isFull = true
      return
    }
    try {
      const watcher = watch(folder, (event, name) => onEvent(event, folder, name))
      watchers.set(folder, watcher)
      watcher.on('error', () => forget(folder))
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isDirectory() && !ignored.test(entry.name)) add(join(folder, entry.name))
      }
    } catch (error) {
      report(`cannot watch ${folder}: ${(error as Error).message}`)
    }
  }
  for (const file of named) add(dirname(file))
  // Also those that are not there yet.
  const linked = [...named].filter((file) => realOf(file) !== file)
  const stopPolling = pollFiles(linked, () => {
    for (const file of linked) forget(dirname(file))
    for (const file of named) add(dirname(file))
    changedSoon()
  })
  return {
    close() {
      clearTimeout(timer)
      stopPolling()
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

function realOf(file: string): string | undefined {
  try {
    return realpathSync(file)
  } catch {
    return undefined
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
