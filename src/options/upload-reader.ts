import type { Outcome } from '../base/outcome.js'
import type { BodyChunks, RequestHead } from '../http/message.js'
import type { Refusal } from '../over-http/refusals.js'
import type { Shape } from '../shapes/shape.js'
import { hasMethods } from '../shapes/shapes.js'

/** Reads requests with files. `uploads` of `@graphwire/uploads` makes one. */
export interface UploadReader {
  /** Maximum size of all files together. */
  readonly maxTotalBytes: number
  /** Time limit for a request with files, in milliseconds, in place of `executionTimeout`. */
  readonly timeout: number
  /** The boundary of a body with files, or why its head is refused; undefined for other bodies. */
  checkHead(head: RequestHead, maxBodyBytes: number): Outcome<string, Refusal> | undefined
  /** Begins to read a body; undefined if too many are being read. */
  read(body: UploadBody): OpenUpload | undefined
}

/** A body with files, and the limits of what comes before them. */
export interface UploadBody {
  readonly boundary: string
  /** The body as it arrives, or as a whole. */
  readonly content: BodyChunks | Uint8Array
  readonly maxBodyBytes: number
  readonly maxJsonNesting: number
  /** The client that sends it, and the share of `maxConcurrent` for each, in percent. */
  readonly client: string | undefined
  readonly clientShare: number
}

/** A body that is being read. */
export interface OpenUpload {
  /** The parameters, with an `Upload` in the place of each file. Files may still be arriving then. */
  readonly json: Promise<Outcome<unknown, Refusal>>
  /** Stops reading: files that are not complete fail, with the reason if there is one. */
  close(reason?: Error): void
}

export const uploadsShape: Shape = {
  expected: "what uploads() of '@graphwire/uploads' returns",
  fits: (value) => hasMethods(value, 'read'),
}
