import type { EndCause } from './end-cause.js'

/** Writes the results of one stream in the format of its transport. It never reads. */
export interface Outlet {
  /** Whether the transport ends the streams of clients that do not read, all at once. Default: false. */
  readonly seesSlowReaders?: true
  /** Writes a result, which is JSON. Returns false if the client reads too slowly. */
  next(result: string, id: string | undefined): boolean
  /** Writes an id without a result, if clients can resume. Returns false if the client reads too slowly. */
  position?(id: string): boolean
  /** Writes something that clients ignore, so that proxies keep an idle connection. Returns false if the client reads too slowly. */
  heartbeat(): boolean
  /** Ends the stream. `errors` is a JSON list, if the client should see why. */
  end(cause: EndCause, errors: string | undefined): void
}
