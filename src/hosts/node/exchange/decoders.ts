import { constants } from 'node:buffer'
import {
  brotliDecompress,
  gunzip,
  inflate,
  type CompressCallback,
  type InputType,
  type ZlibOptions,
} from 'node:zlib'
import type { Options } from '../../../options/options.js'
import { failure, success } from '../../../base/outcome.js'

type OptionDecoder = NonNullable<Options['decoders']>[string]
type Decoded = Awaited<ReturnType<OptionDecoder>>
type Decompress = (bytes: InputType, options: ZlibOptions, done: CompressCallback) => void

/**
 * Brotli fills a window of up to 16 MiB before it gives a byte, so two bodies of a coding are decoded at once: more than the event
 * loop can parse.
 */
class DecodingPlaces {
  #free = 2
  readonly #waiting: (() => void)[] = []

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** It is the next one's at once. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next()
  }
}

/** Decoders for compressed requests with Node's own zlib, for `createHandler({ decoders })`. */
export const decoders: { readonly [coding in 'gzip' | 'br' | 'deflate']: OptionDecoder } = {
  gzip: decoderOf(gunzip),
  br: decoderOf(brotliDecompress),
  deflate: decoderOf(inflate),
}

const longestBuffer = constants.MAX_LENGTH
const tooLarge = 'ERR_BUFFER_TOO_LARGE'

function decoderOf(decompress: Decompress): OptionDecoder {
  const places = new DecodingPlaces()
  return async (bytes, maxBytes, signal) => {
    await places.take()
    try {
      // Nothing reads it once the request is over.
      if (signal?.aborted === true) return failure('broken')
      return await decode(decompress, bytes, maxBytes)
    } finally {
      places.leave()
    }
  }
}

function decode(decompress: Decompress, bytes: Uint8Array, maxBytes: number): Promise<Decoded> {
  // Decoding stops at the limit, so that a decompression bomb is never held in memory.
  const maxOutputLength = Math.min(Math.max(1, maxBytes), longestBuffer)
  return new Promise((resolve) => {
    decompress(bytes, { maxOutputLength }, (error, decoded) => {
      if (error === null) resolve(success(decoded))
      else resolve(failure('code' in error && error.code === tooLarge ? 'too-large' : 'broken'))
    })
  })
}
