import type { Scope } from '../store/store.js'

/** Who sends a request, and what they may do. */
export interface Principal {
  /** Empty for a client without a credential; all of them where AUTH is off. */
  readonly scopes: ReadonlySet<Scope>
  /** The name of the API key. */
  readonly key: string | undefined
  /** The key's own limit a minute. */
  readonly keyLimit: number | undefined
  readonly login: string | undefined
  /** The client's address, a proxy's not where one is trusted. */
  readonly address: string
  /** Whether a good credential came with the request. */
  readonly isKnown: boolean
}

/** Whether reads and writes need a credential. */
export type AuthMode = 'off' | 'writes' | 'all'
