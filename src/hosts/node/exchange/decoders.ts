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

/** Decoders for compressed requests with Node's own zlib, for `createHandler({ decoders })`. */
export const decoders: { readonly [coding in 'gzip' | 'br' | 'deflate']: OptionDecoder } = {
  gzip: decoderOf(gunzip),
  br: decoderOf(brotliDecompress),
  deflate: decoderOf(inflate),
}

const longestBuffer = constants.MAX_LENGTH
const tooLarge = 'ERR_BUFFER_TOO_LARGE'

/**
 * Brotli fills a window of up to 16 MiB before it gives a byte, so two bodies of a coding are decoded at once: more than the event
 * loop can parse. Clients take turns, since a body of 1 MB that holds nothing takes a quarter of a second.
 */
function decoderOf(decompress: Decompress): OptionDecoder {
  let free = 2
  const lines = new Map<string | undefined, (() => void)[]>()
  /** Gives the place of a body to the next one. */
  const startNext = (): void => {
    const [first] = lines
    if (first === undefined) {
      free += 1
      return
    }
    const [client, line] = first
    const next = line.shift()
    if (line.length === 0) lines.delete(client)
    next?.()
  }
  const letOthersGoFirst = (client: string | undefined): void => {
    const line = lines.get(client)
    if (line !== undefined && lines.delete(client)) lines.set(client, line)
  }
  return async (bytes, maxBytes, signal, client) => {
    if (free > 0) free -= 1
    else {
      await new Promise<void>((resolve) => {
        const line = lines.get(client)
        if (line === undefined) lines.set(client, [resolve])
        else line.push(resolve)
      })
    }
    try {
      // Nothing reads it once the request is over. It takes no turn, or such bodies would pile up.
      if (signal?.aborted === true) return failure('broken')
      letOthersGoFirst(client)
      return await decode(decompress, bytes, maxBytes)
    } finally {
      startNext()
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
