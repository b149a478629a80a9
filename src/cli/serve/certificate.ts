import type { Certificate } from '../../hosts/node/index.js'
import { checkCertificate } from '../../hosts/node/connection/tls-options.js'
import { readTextFile } from '../process/read-text-file.js'
import { CliError, orFail } from '../process/exit.js'
import { pollFiles } from './watch-files.js'

export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

export async function loadCertificate(files: CertificateFiles): Promise<Certificate> {
  const [cert, key] = await Promise.all([readTextFile(files.cert), readTextFile(files.key)])
  const check = (): void => checkCertificate({ cert, key })
  await orFail('configuration', check, (error) => nameFiles((error as Error).message, files))
  return { cert, key }
}

/** Replaces the names of options in a message by those of files. */
function nameFiles(message: string, { cert, key }: CertificateFiles): string {
  if (message.includes('tls.passphrase')) {
    return `${key}: the key is encrypted; decrypt it (openssl pkey), or set key and passphrase in the \`tls\` option of a module.`
  }
  const names: { readonly [option: string]: string } = { 'tls.cert': cert, 'tls.key': key }
  return message.replaceAll(/tls\.(?:cert|key)/g, (option) => names[option] ?? option)
}

/** Loads the files again when they change, and when the returned function is called. If they are invalid, the old ones stay. */
export function renewCertificate(
  files: CertificateFiles,
  apply: (certificate: Certificate) => void,
  report: (text: string) => void,
): () => Promise<void> {
  const renew = async (): Promise<void> => {
    try {
      apply(await loadCertificate(files))
      report(`renewed the certificate from ${files.cert}`)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      report(`${error.message}\nstill using the old certificate`)
    }
  }
  pollFiles([files.cert, files.key], () => void renew())
  return renew
}
