import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { failure, success, type Outcome } from '../../base/outcome.js'
import type { Json } from '../suite/checks.js'
import { fieldOf, maxResponseBytes, membersOf, type WireResponse } from './exchange.js'
import { formatBytes } from './to-wire-request.js'

const decoders = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/** Keeps what is read from each source: dozens of assertions use it, and decoding a large body takes a second. */
export function readOnce<Source extends object, Reading>(
  read: (source: Source) => Reading,
): (source: Source) => Reading {
  const readings = new WeakMap<Source, { readonly reading: Reading }>()
  return (source) => {
    const kept = readings.get(source) ?? { reading: read(source) }
    readings.set(source, kept)
    return kept.reading
  }
}

/** The content of a response, which a server may compress even without an Accept-Encoding. */
export const contentOf: (response: WireResponse) => Outcome<Uint8Array, string> = readOnce(decode)

/** The content as text; undefined if it cannot be decoded or is not well-formed UTF-8. */
export const textOf: (response: WireResponse) => string | undefined = readOnce((response) => {
  const content = contentOf(response)
  if (!content.ok || !isUtf8(content.value)) return undefined
  return new TextDecoder().decode(content.value)
})

/** The content as JSON; undefined if it is not JSON. */
export const jsonOf: (response: WireResponse) => Json | undefined = readOnce((response) =>
  parseJson(textOf(response) ?? ''),
)

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A response as text for people, its content decoded. */
export function formatResponse(response: WireResponse): string {
  const { status, headers, body } = response
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const coding = fieldOf(response, 'content-encoding')
  const content = contentOf(response)
  const note = coding === undefined ? [] : [`(${coding}, ${body.length} bytes)`]
  const shown = content.ok ? [formatBytes(content.value)] : []
  return [`HTTP ${status}`, ...lines, '', ...note, ...shown].join('\n')
}

/** No server needs more, and each can inflate the body to the largest size. */
const maxCodings = 4

function decode(response: WireResponse): Outcome<Uint8Array, string> {
  const codings = membersOf(response, 'content-encoding').filter((one) => one !== 'identity')
  if (codings.length > maxCodings) {
    return failure(`Content-Encoding has ${codings.length} codings, more than ${maxCodings}`)
  }
  let value = response.body
  for (const coding of codings.toReversed()) {
    if (value.length === 0) break
    const decodeOne = decoders.get(coding)
    if (decodeOne === undefined) return failure(`unsupported Content-Encoding ${coding}`)
    try {
      value = decodeOne(value, { maxOutputLength: maxResponseBytes })
    } catch (error) {
      const { code } = error as { code?: string }
      return failure(
        code === 'ERR_BUFFER_TOO_LARGE'
          ? `the body is larger than ${maxResponseBytes} bytes when decompressed`
          : `Content-Encoding is ${coding}, but the body is not valid ${coding}`,
      )
    }
  }
  return success(value)
}
