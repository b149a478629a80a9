import type { Certificate } from '../../../hosts/node/index.js'
import { checkCertificate } from '../../../hosts/node/connection/tls-options.js'
import type { Outcome } from '../../../index.js'
import { fail, type CliError } from '../../process/cli-error.js'
import { readTextFile } from '../../process/read-text-file.js'

export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** Loads a key and its certificate, or says which file is wrong and why. */
export async function loadCertificate(
  files: CertificateFiles,
): Promise<Outcome<Certificate, CliError>> {
  const [cert, key] = await Promise.all([readTextFile(files.cert), readTextFile(files.key)])
  if (!cert.ok) return cert
  if (!key.ok) return key
  const certificate = { cert: cert.value, key: key.value }
  try {
    checkCertificate(certificate)
  } catch (error) {
    return fail('configuration', nameFiles((error as Error).message, files))
  }
  return { ok: true, value: certificate }
}

/** Replaces the names of options in a message by those of files. */
function nameFiles(message: string, { cert, key }: CertificateFiles): string {
  if (message.includes('tls.passphrase')) {
    return `${key}: the key is encrypted; decrypt it (openssl pkey), or set key and passphrase in the \`tls\` option of a module.`
  }
  const names: { readonly [option: string]: string } = { 'tls.cert': cert, 'tls.key': key }
  return message.replaceAll(/tls\.(?:cert|key)/g, (option) => names[option] ?? option)
}
