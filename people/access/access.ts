import type { IncomingMessage } from 'node:http'
import {
  createAddressReader,
  type CorsOptions,
  type Denial,
  type Handler,
  type OperationRequest,
  type Outcome,
  type RequestHead,
} from 'graphwire'
import type { Scope } from '../store/credential-stores.js'
import type { Store } from '../store/open-store.js'
import { createAuthenticate } from './authenticate.js'
import { ConfigurationError } from './configuration-error.js'
import { makeJwtKey, readJwtKey, type JwtKey } from './jwt-key.js'
import { createKeyFinder } from './key-finder.js'
import { createLimiter } from './limiter.js'
import { createThrottle } from './login-throttle.js'
import { createLogin, type LoginParts } from './login.js'
import { createOpenStreams, type OpenStreams, type StreamLimits } from './open-streams.js'
import { createPasswords } from './passwords.js'
import { missingScope, type AuthMode, type Principal } from './principal.js'
import { createAdmit, type RateLimits } from './rate-limits.js'
import { connectRedis } from './redis-link.js'
import { createTokens } from './tokens.js'
import { createUsage } from './usage.js'

/** Authentication, scopes and rate limits, for both surfaces. */
export interface Access {
  /** Reads the credentials of a request; an invalid one is a denial, and a missing one may be. */
  authenticate(head: RequestHead<IncomingMessage>): Promise<Outcome<Principal, Denial>>
  /** Why the principal may not do this: 401 without a credential, 403 without the scope; undefined if it may. */
  requires(principal: Principal, scope: Scope): Denial | undefined
  /** Whether the credentials of an open stream are still valid. */
  recheck(principal: Principal, head: RequestHead<IncomingMessage>): Promise<boolean>
  /** The open streams of each client. */
  readonly openStreams: OpenStreams
  /**
   * Counts the root fields and the use of the key, and sets the RateLimit headers of the response. A subscription is denied
   * to a client with too many open streams.
   */
  admit(request: OperationRequest<IncomingMessage, Principal>): Promise<Denial | undefined>
  /** The handler of POST /login. */
  readonly login: Handler<IncomingMessage>
  /** Stores the counts, and releases timers and connections. */
  close(): Promise<void>
}

/** The dependencies of access. */
export interface AccessOptions {
  readonly store: Store
  readonly mode: AuthMode
  /** Root fields per minute and identity; 'off' counts only logins. */
  readonly rateLimit: RateLimits | 'off'
  readonly streamLimits: StreamLimits
  readonly redisUrl: string | undefined
  /** At least 32 bytes in base64url, or a private JWK for EdDSA; undefined makes a key for this run. */
  readonly jwtKey: string | undefined
  /** The number of trusted proxies in front of the service. */
  readonly trustedProxies: number
  /** The origins whose pages may log in. */
  readonly cors: CorsOptions | undefined
  readonly now?: () => Date
  /** Receives errors that no response shows: Redis is unavailable, usage was not stored. */
  readonly onFault: (fault: unknown) => void
  /** Receives bugs of the login. */
  readonly onBug?: LoginParts['onBug']
}

/** Throws a ConfigurationError for options that cannot be used. */
export async function createAccess(options: AccessOptions): Promise<Access> {
  const { store, mode, rateLimit, redisUrl, trustedProxies, cors, onFault } = options
  const { keys, logins } = store
  const now = options.now ?? (() => new Date())
  const tokens = createTokens(jwtKeyOf(options.jwtKey), now)
  const readAddress = createAddressReader(trustedProxies)
  const redis = redisUrl === undefined ? undefined : await connectRedis(redisUrl, onFault)
  const limiter = createLimiter('fields', redis)
  const attempts = createLimiter('logins', redis)
  const throttle = createThrottle(attempts)
  const usage = createUsage({ keys, now, onFault })
  const findKey = createKeyFinder({ keys, now })
  // Reads need no credential, except in the mode `all`.
  const isOpen = (scope: string): boolean =>
    mode === 'off' || (mode === 'writes' && scope === 'read')

  const authenticate = createAuthenticate({ mode, findKey, tokens, readAddress })
  const openStreams = createOpenStreams(options.streamLimits)

  return {
    authenticate,
    async recheck({ key }, head) {
      if (key === undefined) return true
      const who = await authenticate(head)
      // An unavailable database says nothing about the key.
      return who.ok || who.reason.kind !== 'unauthenticated'
    },
    openStreams,
    admit: createAdmit({ limiter, rateLimit, usage, openStreams }),
    login: createLogin({
      logins,
      passwords: createPasswords(),
      tokens,
      throttle,
      readAddress,
      cors,
      onBug: options.onBug,
    }),
    requires: (principal, scope) => (isOpen(scope) ? undefined : missingScope(principal, scope)),
    async close() {
      await usage.close()
      redis?.close()
    },
  }
}

function jwtKeyOf(text: string | undefined): JwtKey {
  if (text === undefined) return makeJwtKey()
  const key = readJwtKey(text)
  if (!key.ok) throw new ConfigurationError(key.reason)
  return key.value
}
