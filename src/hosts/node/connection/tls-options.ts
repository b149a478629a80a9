import type { TlsOptions as NodeTlsOptions } from 'node:tls'
import { membersOf } from '../../../shapes/members.js'
import { objectOf, type Shape } from '../../../shapes/shape.js'
import {
  http2Shapes,
  resolveHttp2Options,
  type Http2Options,
  type Http2Settings,
} from './http2-options.js'

/** The key and the certificate, and all other options of `tls.createSecureContext`. */
export interface TlsOptions extends Omit<NodeTlsOptions, 'ALPNProtocols' | 'ALPNCallback'> {
  /** False serves HTTP/1.1 alone, for listeners that cannot take HTTP/2, such as Express. Default: true. */
  readonly http2?: boolean | Http2Options
}

/** The options that can change while the server runs. */
export type Certificate = Pick<TlsOptions, 'key' | 'cert' | 'ca' | 'crl' | 'passphrase' | 'pfx'>

/** The resolved options. */
export interface TlsSettings {
  /** As `tls.createServer` takes them. */
  readonly options: NodeTlsOptions
  /** Undefined if the server only supports HTTP/1.1. */
  readonly http2: Http2Settings | undefined
}

/** Fills in the defaults of options that have been checked. */
export function resolveTlsOptions(tls: TlsOptions, handshakeTimeout: number): TlsSettings {
  const { http2 = true, ...given }: TlsOptions = membersOf(tls)
  return {
    options: {
      handshakeTimeout,
      ...given,
      ALPNProtocols: http2 === false ? ['http/1.1'] : ['h2', 'http/1.1'],
    },
    http2: http2 === false ? undefined : resolveHttp2Options(http2 === true ? {} : http2),
  }
}

const http2Limits = objectOf<Http2Options>('{ maxConcurrentStreams }', http2Shapes)

/** The shape of `tls`; OpenSSL checks its other members. */
export const tlsShape: Shape = objectOf<Pick<TlsOptions, 'http2'>>(
  '{ key, cert }',
  {
    http2: {
      ...http2Limits,
      expected: `a boolean or ${http2Limits.expected}`,
      fits: (value) => typeof value === 'boolean' || http2Limits.fits(value),
      findInside: (value, path) =>
        typeof value === 'boolean' ? undefined : http2Limits.findInside?.(value, path),
    },
  },
  { isOpen: true, findConflict: (tls: TlsOptions) => findCertificateFault(tls) },
)

/** Throws a TypeError that says what is wrong with a key or certificate. */
export function checkCertificate(given: Certificate): void {
  const fault = findCertificateFault(given)
  if (fault !== undefined) throw new TypeError(fault)
}

function findCertificateFault(given: Certificate): string | undefined {
  // Loaded only for TLS: loading them takes a tenth of the start of a server.
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule('node:crypto')
  const { createSecureContext } = process.getBuiltinModule('node:tls')
  const { key, cert, passphrase } = given
  if (given.pfx === undefined && (key === undefined || cert === undefined)) {
    const missing = key === undefined ? 'key' : 'cert'
    return `tls.${missing}: missing; TLS needs a key and a certificate in PEM.`
  }
  // Anything but one PEM each, such as `pfx` or several keys, is left to OpenSSL.
  if (isPem(cert) && !canRead(() => new X509Certificate(cert))) return notPem('cert', 'CERTIFICATE')
  if (isPem(key)) {
    const readKey = () => createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) })
    if (!canRead(readKey)) {
      return String(key).includes('ENCRYPTED')
        ? 'tls.key: the key is encrypted and tls.passphrase is missing or wrong.'
        : notPem('key', 'PRIVATE KEY')
    }
    if (isPem(cert) && !new X509Certificate(cert).checkPrivateKey(readKey())) {
      return 'tls.key: this key does not belong to the certificate in tls.cert.'
    }
  }
  try {
    createSecureContext(given)
    return undefined
  } catch (error) {
    return `tls: OpenSSL refuses these options: ${(error as Error).message}.`
  }
}

function notPem(name: string, label: string): string {
  return `tls.${name}: expected PEM with "-----BEGIN ${label}-----"; OpenSSL cannot read this.`
}

function canRead(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

function isPem(part: unknown): part is string | Buffer {
  return typeof part === 'string' || Buffer.isBuffer(part)
}
