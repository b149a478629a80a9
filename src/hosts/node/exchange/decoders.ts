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
type Decompress = (bytes: InputType, options: ZlibOptions, done: CompressCallback) => void

/** Decoders for compressed requests with Node's own zlib, for `createHandler({ decoders })`. */
export const decoders: { readonly [coding in 'gzip' | 'br' | 'deflate']: OptionDecoder } = {
  gzip: decoderOf(gunzip),
  br: decoderOf(brotliDecompress),
  deflate: decoderOf(inflate),
}

const longestBuffer = constants.MAX_LENGTH

function decoderOf(decompress: Decompress): OptionDecoder {
  return (bytes, maxBytes) =>
    new Promise((resolve) => {
      // Decoding stops at the limit, so that a decompression bomb is never held in memory.
      decompress(
        bytes,
        { maxOutputLength: Math.min(Math.max(1, maxBytes), longestBuffer) },
        (error, decoded) => {
          if (error === null) resolve(success(decoded))
          else resolve(failure(isTooLarge(error) ? 'too-large' : 'broken'))
        },
      )
    })
}

function isTooLarge(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_BUFFER_TOO_LARGE'
}
