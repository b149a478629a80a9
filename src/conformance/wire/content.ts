import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { fieldOf, maxAnswerBytes, type WireResponse } from './exchange.js'

/** A decoded body, or why it cannot be decoded. */
export type Content =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly reason: string }

const decoders = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
} as const

/** The content of a response, which a server may compress even without an Accept-Encoding. */
export function contentOf(response: WireResponse): Content {
  const field = fieldOf(response, 'content-encoding') ?? ''
  const codings = field
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
  let value = response.body
  for (const coding of codings.toReversed()) {
    if (coding === '' || coding === 'identity' || value.length === 0) continue
    if (!isKnown(coding)) return { ok: false, reason: `unsupported Content-Encoding ${coding}` }
    try {
      value = decoders[coding](value, { maxOutputLength: maxAnswerBytes })
    } catch (error) {
      const { code } = error as { code?: string }
      const reason =
        code === 'ERR_BUFFER_TOO_LARGE'
          ? `the body is larger than ${maxAnswerBytes} bytes when decompressed`
          : `Content-Encoding is ${coding}, but the body is not valid ${coding}`
      return { ok: false, reason }
    }
  }
  return { ok: true, value }
}

function isKnown(coding: string): coding is keyof typeof decoders {
  return Object.hasOwn(decoders, coding)
}
