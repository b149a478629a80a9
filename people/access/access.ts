import type { IncomingMessage } from 'node:http'
import type { Denial, Handler, OperationRequest, Outcome, RequestHead } from 'graphwire'
import type { Scope, Store } from '../store/store.js'
import type { AuthMode, Principal } from './principal.js'

/** Who may do what and how often: one for both surfaces. */
export interface Access {
  /** Reads the credentials of a request; a bad one is a denial, none at all may be. */
  authenticate(head: RequestHead<IncomingMessage>): Promise<Outcome<Principal, Denial>>
  /** Why the principal may not do this, if so: 401 without a credential, 403 without the scope. */
  requires(principal: Principal, scope: Scope): Denial | undefined
  /** Counts the root fields and the use of the key, and sets the RateLimit headers of the answer. */
  admit(request: OperationRequest<IncomingMessage, Principal>): Promise<Denial | undefined>
  /** Answers POST /login. */
  readonly login: Handler<IncomingMessage>
  /** Writes down what was counted, and lets go of timers and connections. */
  close(): Promise<void>
}

/** What access has to know. */
export interface AccessOptions {
  readonly store: Store
  readonly mode: AuthMode
  /** Root fields a minute and identity; 'off' counts nothing but logins. */
  readonly rateLimit: RateLimits | 'off'
  readonly redisUrl: string | undefined
  /** At least 32 bytes in base64url, or a private JWK for EdDSA; undefined makes a key for this run. */
  readonly jwtKey: string | undefined
  /** How many proxies stand in front and may be believed. 0: none. */
  readonly trustedProxies: number
  readonly now?: () => Date
  /** Gets what goes wrong behind the scenes: Redis away, usage not written. */
  readonly onFault: (fault: unknown) => void
}

/** The limits of clients without a limit of their own. */
export interface RateLimits {
  readonly perKey: number
  readonly perAddress: number
}
