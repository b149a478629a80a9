import type { SecureContextOptions, TlsOptions as NodeTlsOptions } from 'node:tls'
import { membersOf } from '../../../shapes/members.js'
import {
  count,
  resolveNumbers,
  shapesOf,
  type NumbersOf,
  type Resolved,
} from '../../../shapes/number-row.js'
import { either, objectOf, type Shape } from '../../../shapes/shape.js'
import { aBoolean } from '../../../shapes/shapes.js'

export const http2Rows = {
  /** Maximum number of open requests on a connection. Default: 100. */
  // Beyond it: REFUSED_STREAM. Reason: one connection must not take the place of thousands.
  maxConcurrentStreams: count(100),
  /** Maximum memory of a connection for open requests, unsent responses and tables, in MiB. At most 4,096. Default: 32. */
  // Beyond it: new requests are refused. Reason: floods of frames cost little to send.
  maxSessionMemory: count(32, {
    unit: 'MiB',
    most: 4096,
  }),
  /** Maximum number of invalid frames on a connection. Default: 100. */
  // Beyond it: the connection is closed. Reason: each costs the client little and the server time.
  maxSessionInvalidFrames: count(100),
  /** Maximum number of refused requests on a connection. Default: 100. */
  // Beyond it: the connection is closed. Reason: a client that goes on after refusals costs time
  // and gets nothing done.
  maxSessionRejectedStreams: count(100),
  /** Maximum number of entries in a SETTINGS frame. At most 10,000. Default: 32. */
  // Beyond it: the connection is closed. Reason: a large frame of settings costs little to send.
  maxSettings: count(32, {
    most: 10_000,
  }),
}

/** The limits of an HTTP/2 connection. */
export type Http2Options = NumbersOf<typeof http2Rows>

/** The key and the certificate, and all other options of `tls.createSecureContext`. */
export interface TlsOptions extends Omit<NodeTlsOptions, 'ALPNProtocols' | 'ALPNCallback'> {
  /** False serves HTTP/1.1 alone, for listeners that cannot take HTTP/2, such as Express. Default: true. */
  readonly http2?: boolean | Http2Options
}

/** The options that can change while the server runs. */
export type Certificate = Pick<TlsOptions, 'key' | 'cert' | 'ca' | 'crl' | 'passphrase' | 'pfx'>

export interface TlsSettings {
  /** As `tls.createServer` takes them. */
  readonly options: NodeTlsOptions
  /** Undefined if the server only supports HTTP/1.1. */
  readonly http2: Resolved<Http2Options> | undefined
}

export function resolveTlsOptions(tls: TlsOptions, handshakeTimeout: number): TlsSettings {
  const { http2 = true, ...given }: TlsOptions = membersOf(tls)
  const limits = http2 === true ? {} : http2
  const ALPNProtocols = http2 === false ? ['http/1.1'] : ['h2', 'http/1.1']
  return {
    options: {
      ...given,
      handshakeTimeout: given.handshakeTimeout ?? handshakeTimeout,
      ALPNProtocols,
    },
    http2: limits ? resolveNumbers(http2Rows, limits) : undefined,
  }
}

const http2Limits = objectOf<Http2Options>('{ maxConcurrentStreams }', shapesOf(http2Rows))

/** The shape of `tls`; OpenSSL checks its other members. */
export const tlsShape: Shape = objectOf<Pick<TlsOptions, 'http2'>>(
  '{ key, cert }',
  { http2: either(aBoolean, http2Limits) },
  { isOpen: true, findConflict: (tls: TlsOptions) => findCertificateFault(tls) },
)

/** Throws a TypeError that says what is wrong with a key or certificate. */
export function checkCertificate(given: Certificate): void {
  const fault = findCertificateFault(given)
  if (fault !== undefined) throw new TypeError(fault)
}

function findCertificateFault(given: Certificate): string | undefined {
  const { key, cert, passphrase } = given
  if (given.pfx === undefined && (key === undefined || cert === undefined)) {
    const missing = key === undefined ? 'key' : 'cert'
    return `tls.${missing}: missing; TLS needs a key and a certificate in PEM.`
  }
  // Each alone, to say which of them OpenSSL cannot read.
  if (/PEM|ASN1/.test(findFault({ cert })?.code ?? '')) return notPem('cert', 'CERTIFICATE')
  if (findFault({ key, passphrase }) !== undefined) {
    const isText = typeof key === 'string' || Buffer.isBuffer(key)
    return isText && key.includes('ENCRYPTED')
      ? 'tls.key: the key is encrypted and tls.passphrase is missing or wrong.'
      : notPem('key', 'PRIVATE KEY')
  }
  const fault = findFault(given)
  if (fault === undefined) return undefined
  return /KEY_\w+_MISMATCH/.test(fault.code ?? '')
    ? 'tls.key: this key does not belong to the certificate in tls.cert.'
    : `tls: OpenSSL refuses these options: ${fault.message}.`
}

function findFault(options: SecureContextOptions): NodeJS.ErrnoException | undefined {
  try {
    // Loaded only for TLS: loading it takes a tenth of the start of a server.
    process.getBuiltinModule('node:tls').createSecureContext(options)
    return undefined
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

function notPem(name: string, label: string): string {
  return `tls.${name}: expected PEM with "-----BEGIN ${label}-----"; OpenSSL cannot read this.`
}
