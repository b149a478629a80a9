/** The credentials under which a stream was opened. */
export interface Credentials {
  /** When they expire, in milliseconds since 1970; Infinity if never. */
  readonly expiresAt: number
  /** Whether they are still valid; undefined if that cannot change. Never throws or rejects. */
  readonly check: (() => Promise<boolean>) | undefined
  /** Ends what was opened under them. Called at most once. */
  readonly expired: () => void
}

interface Watched extends Credentials {
  nextCheckAt: number
  isChecking: boolean
}

/** Watches the credentials of open streams and sockets; the clock of their registry calls `look`. */
export class CredentialWatch {
  readonly #recheckInterval: number
  readonly #watched = new Set<Watched>()

  constructor(recheckInterval: number) {
    this.#recheckInterval = recheckInterval
  }

  get size(): number {
    return this.#watched.size
  }

  /** Watches until the returned function is called. */
  add(credentials: Credentials): () => void {
    const watched: Watched = {
      ...credentials,
      nextCheckAt: performance.now() + this.#recheckInterval,
      isChecking: false,
    }
    this.#watched.add(watched)
    return () => void this.#watched.delete(watched)
  }

  /** Ends what has expired, and starts the checks that are due at this time of `performance`. */
  look(now: number): void {
    const date = Date.now()
    for (const watched of this.#watched) {
      if (watched.expiresAt <= date) this.#end(watched)
      else if (watched.nextCheckAt <= now && !watched.isChecking) this.#check(watched)
    }
  }

  #check(watched: Watched): void {
    if (watched.check === undefined) return
    watched.isChecking = true
    void watched.check().then((isValid) => {
      watched.isChecking = false
      watched.nextCheckAt = performance.now() + this.#recheckInterval
      if (!isValid) this.#end(watched)
    })
  }

  #end(watched: Watched): void {
    if (this.#watched.delete(watched)) watched.expired()
  }
}
