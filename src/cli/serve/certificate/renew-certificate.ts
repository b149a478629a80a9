import type { Certificate } from '../../../hosts/node/index.js'
import { pollFiles } from '../poll-files.js'
import { loadCertificate, type CertificateFiles } from './load-certificate.js'

/**
 * Loads the files again when they have changed, and when the function that it returns is called; if they are
 * invalid, the old certificate stays.
 */
export function renewCertificate(
  files: CertificateFiles,
  apply: (certificate: Certificate) => void,
  report: (text: string) => void,
): () => Promise<void> {
  const renew = async (): Promise<void> => {
    const loaded = await loadCertificate(files)
    if (loaded.ok) {
      apply(loaded.value)
      report(`renewed the certificate from ${files.cert}`)
    } else {
      report(`${loaded.reason.message}\nstill using the old certificate`)
    }
  }
  pollFiles([files.cert, files.key], () => void renew())
  return renew
}
