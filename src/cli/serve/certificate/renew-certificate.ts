import { unwatchFile, watchFile } from 'node:fs'
import type { Certificate } from '../../../hosts/node/index.js'
import { loadCertificate, type CertificateFiles } from './load-certificate.js'

/** Returns a function that loads the files again; if they are invalid, the old certificate stays. */
export function createRenewal(
  files: CertificateFiles,
  apply: (certificate: Certificate) => void,
  report: (text: string) => void,
): () => Promise<void> {
  return async () => {
    const loaded = await loadCertificate(files)
    if (loaded.ok) {
      apply(loaded.value)
      report(`renewed the certificate from ${files.cert}`)
    } else {
      report(`${loaded.reason.message}\nstill using the old certificate`)
    }
  }
}

/** How often the files are checked, and how long to wait for the second one to change. */
const intervalMs = 1_000
const debounceMs = 200

/**
 * Calls `changed` when a file has changed. It polls, since tools that renew certificates often replace a
 * link, for which the file itself has no event.
 */
export function watchCertificate(files: CertificateFiles, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const changedSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(changed, debounceMs)
    timer.unref()
  }
  const names = [files.cert, files.key]
  for (const name of names)
    watchFile(name, { persistent: false, interval: intervalMs }, changedSoon)
  return () => {
    clearTimeout(timer)
    for (const name of names) unwatchFile(name, changedSoon)
  }
}
