import { constants } from 'node:buffer'
import {
  brotliDecompress,
  gunzip,
  inflate,
  type CompressCallback,
  type InputType,
  type ZlibOptions,
} from 'node:zlib'
import type { Options } from '../../options.js'
import { failure, success } from '../../outcome.js'

type Decoder = NonNullable<Options['decoders']>[string]
type Decompress = (bytes: InputType, options: ZlibOptions, done: CompressCallback) => void

/** Decoders for compressed requests, by Node's own zlib: `createHandler({ decoders })` takes them. */
export const decoders: { readonly [coding in 'gzip' | 'br' | 'deflate']: Decoder } = {
  gzip: decoderOf(gunzip),
  br: decoderOf(brotliDecompress),
  deflate: decoderOf(inflate),
}

const longestBuffer = constants.MAX_LENGTH

function decoderOf(decompress: Decompress): Decoder {
  return (bytes, maxBytes) =>
    new Promise((resolve) => {
      // It stops at the limit: what a bomb would decode to is never held.
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
