/** The part of a client of `pg`, or of one of its pool, that is used. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<unknown>
  on(name: string, listener: (value: unknown) => void): unknown
  off(name: string, listener: (value: unknown) => void): unknown
  /** Present for a client without a pool. */
  end?(): Promise<void>
  /** Present for a client of a pool. */
  release?(destroy: boolean): void
}

/** Ends a connection without waiting, since it may be dead. One that listens must not go back to its pool. */
export function discard(client: PostgresClient): void {
  // The error of a connection without a listener would end the process.
  client.on('error', () => {})
  try {
    if (client.release !== undefined) client.release(true)
    else client.end?.().catch(() => {})
  } catch {
    // It is closed already.
  }
}
