import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { failure, success, type Outcome } from 'graphwire'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { LoginRecord } from '../store/credential-stores.js'
import { readScopes } from './principal.js'

export type Tokens = ReturnType<typeof createTokens>

const service = 'people'
const lifetime = 3_600

/** Signs and checks tokens without storing them: any instance with the same key takes the tokens of the others. */
export function createTokens(key: JwtKey, now: () => Date) {
  return {
    async issue({ login, scopes }: Pick<LoginRecord, 'login' | 'scopes'>) {
      const issuedAt = Math.floor(now().getTime() / 1_000)
      const expires = issuedAt + lifetime
      const token = await new SignJWT({ scope: scopes.join(' ') })
        .setProtectedHeader({ alg: key.algorithm, typ: 'JWT' })
        .setSubject(login)
        .setIssuer(service)
        .setAudience(service)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expires)
        .sign(key.signing)
      return { token, expiresAt: new Date(expires * 1_000).toISOString() }
    },
    /** The claims of a valid token; `expiresAt` is in milliseconds since 1970. */
    async check(token: string) {
      // Our own have about 300 characters, so longer ones are refused without a digest.
      if (token.length > 4_096) return failure('invalid')
      try {
        const { payload } = await jwtVerify(token, key.checking, {
          // The key decides, never the header of the token (RFC 8725 section 3.1).
          algorithms: [key.algorithm],
          issuer: service,
          audience: service,
          requiredClaims: ['sub', 'scope', 'iat', 'exp'],
          currentDate: now(),
        })
        const { sub, scope, exp = 0 } = payload
        const scopes = typeof scope === 'string' ? readScopes(scope, ' ') : undefined
        if (typeof sub !== 'string' || scopes === undefined) return failure('invalid')
        return success({ login: sub, scopes, expiresAt: exp * 1_000 })
      } catch (fault) {
        if (fault instanceof errors.JWTExpired) return failure('expired')
        if (fault instanceof errors.JOSEError) return failure('invalid')
        throw fault
      }
    },
  }
}

export interface JwtKey {
  readonly algorithm: 'HS256' | 'EdDSA'
  readonly signing: KeyObject
  readonly checking: KeyObject
}

/** RFC 7518 section 3.2: a key of HS256 has at least the size of the digest. */
const minBytes = 32

const advice =
  'generate one with: node -p "crypto.randomBytes(32).toString(\'base64url\')". Keep it secret.'

/** Reads a key: a secret in base64url, or a private JWK of Ed25519. The reason never contains the text. */
export function readJwtKey(text: string): Outcome<JwtKey, string> {
  const trimmed = text.trim()
  if (trimmed.startsWith('{')) return readJwk(trimmed)
  if (!/^[A-Za-z0-9_-]+$/.test(trimmed)) {
    return failure(`JWT_KEY must be base64url, or a JWK as JSON; ${advice}`)
  }
  const key = createSecretKey(trimmed, 'base64url')
  const { symmetricKeySize: size = 0 } = key
  return size >= minBytes
    ? success({ algorithm: 'HS256', signing: key, checking: key })
    : failure(
        `JWT_KEY has ${size} bytes, fewer than the ${minBytes} that HS256 requires; ${advice}`,
      )
}

function readJwk(text: string): Outcome<JwtKey, string> {
  try {
    const jwk = JSON.parse(text) as JsonWebKey
    const signing = createPrivateKey({ key: jwk, format: 'jwk' })
    const checking = createPublicKey(signing)
    // Node uses only d: if x does not match it, the key is not the one that its owner expects.
    const isWhole = checking.export({ format: 'jwk' }).x === jwk.x
    const isEd25519 = signing.asymmetricKeyType === 'ed25519'
    if (isWhole && isEd25519) return success({ algorithm: 'EdDSA', signing, checking })
  } catch {
    // Not a key at all.
  }
  return failure(
    'JWT_KEY looks like a JWK, but is not a private Ed25519 key: kty, crv, d and its x.',
  )
}
