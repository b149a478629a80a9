import type { Access, AccessOptions } from './access.js'
import { ConfigurationError } from './configuration-error.js'
import { createAdmit } from './admit.js'
import { createAuthenticate } from './authenticate.js'
import { createAddressReader } from './client-address.js'
import { makeJwtKey, readJwtKey, type JwtKey } from './jwt-key.js'
import { createKeyFinder } from './key-finder.js'
import { createLimiter } from './limiter.js'
import { createLogin } from './login.js'
import { createThrottle } from './login-throttle.js'
import { createPasswords } from './passwords.js'
import { connectRedis } from './redis-link.js'
import { missingScope } from './requires.js'
import { createTokens } from './tokens.js'
import { createUsage } from './usage.js'

/** Makes the access of a service; throws where the options cannot be meant. */
export async function createAccess(options: AccessOptions): Promise<Access> {
  const { store, mode, rateLimit, redisUrl, trustedProxies, onFault } = options
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
  // Reads are open to everybody but in the mode `all`, which lets nobody in without a credential.
  const isOpen = (scope: string): boolean =>
    mode === 'off' || (mode === 'writes' && scope === 'read')

  return {
    authenticate: createAuthenticate({ mode, findKey, tokens, readAddress }),
    admit: createAdmit({ limiter, rateLimit, usage }),
    login: createLogin({ logins, passwords: createPasswords(), tokens, throttle, readAddress }),
    requires: (principal, scope) => (isOpen(scope) ? undefined : missingScope(principal, scope)),
    async close() {
      await usage.close()
      limiter.close()
      attempts.close()
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
