/** Why a stream ended (closed union). */
export type EndCause =
  /** Its source has no more events. */
  | 'complete'
  /** Its source threw. */
  | 'source-failed'
  /** Its source was interrupted: the client is to connect again. */
  | 'interrupted'
  /** The client disconnected. */
  | 'client-gone'
  /** The client ended this stream, but not its connection. */
  | 'client-complete'
  /** The client did not read for too long. */
  | 'slow-reader'
  /** The stream lasted longer than it may. */
  | 'too-long'
  /** The credentials of the client have expired or were revoked. */
  | 'expired'
  /** The server is shutting down. */
  | 'shutdown'

/** Whether a source ended as a channel of `@graphwire/pubsub` does when its transport loses the connection. */
export function isInterruption(bug: unknown): boolean {
  return bug instanceof Error && (bug as { readonly code?: unknown }).code === 'INTERRUPTED'
}
