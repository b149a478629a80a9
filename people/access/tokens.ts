import { failure, success, type Outcome } from 'graphwire'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Scope } from '../store/credential-stores.js'
import type { JwtKey } from './jwt-key.js'
import { readScopes } from './credentials.js'

/** The owner of a token, and its scopes. */
interface TokenClaims {
  readonly login: string
  readonly scopes: readonly Scope[]
}

/** The claims of a token that is valid. */
export interface CheckedClaims extends TokenClaims {
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

export type Tokens = ReturnType<typeof createTokens>

const service = 'people'
const lifetime = 3_600
/** Our own have about 300 characters, so longer ones are refused without a digest. */
const maxLength = 4_096

/** Signs and checks tokens without storing them: any instance with the same key takes the tokens of the others. */
export function createTokens(key: JwtKey, now: () => Date) {
  return {
    async issue({ login, scopes }: TokenClaims) {
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
    async check(token: string): Promise<Outcome<CheckedClaims, 'expired' | 'invalid'>> {
      if (token.length > maxLength) return failure('invalid')
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
