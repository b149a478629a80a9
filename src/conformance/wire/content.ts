import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Json } from '../suite/checks.js'
import { maxResponseBytes, membersOf, type WireResponse } from './exchange.js'

export type DecodedContent =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly reason: string }

const decoders = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

interface Reading {
  readonly content: DecodedContent
  readonly text: string | undefined
  readonly json: Json | undefined
}

/** The decoded forms, kept: dozens of assertions use them, and decoding a large body takes a second. */
const readings = new WeakMap<WireResponse, Reading>()

function readingOf(response: WireResponse): Reading {
  const earlier = readings.get(response)
  if (earlier !== undefined) return earlier
  const content = decode(response)
  const text = content.ok ? toText(content.value) : undefined
  const reading = { content, text, json: text === undefined ? undefined : parseJson(text) }
  readings.set(response, reading)
  return reading
}

/** The content of a response, which a server may compress even without an Accept-Encoding. */
export function contentOf(response: WireResponse): DecodedContent {
  return readingOf(response).content
}

/** The content as text; undefined if it cannot be decoded or is not well-formed UTF-8. */
export function textOf(response: WireResponse): string | undefined {
  return readingOf(response).text
}

/** The content as JSON; undefined if it is not JSON. */
export function jsonOf(response: WireResponse): Json | undefined {
  return readingOf(response).json
}

function toText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** No server needs more, and each can inflate the body to the largest size. */
const maxCodings = 4

function decode(response: WireResponse): DecodedContent {
  const codings = membersOf(response, 'content-encoding').filter((one) => one !== 'identity')
  if (codings.length > maxCodings) {
    const reason = `Content-Encoding has ${codings.length} codings, more than ${maxCodings}`
    return { ok: false, reason }
  }
  let value = response.body
  for (const coding of codings.toReversed()) {
    if (value.length === 0) break
    const decodeOne = decoders.get(coding)
    if (decodeOne === undefined) {
      return { ok: false, reason: `unsupported Content-Encoding ${coding}` }
    }
    try {
      value = decodeOne(value, { maxOutputLength: maxResponseBytes })
    } catch (error) {
      const { code } = error as { code?: string }
      const reason =
        code === 'ERR_BUFFER_TOO_LARGE'
          ? `the body is larger than ${maxResponseBytes} bytes when decompressed`
          : `Content-Encoding is ${coding}, but the body is not valid ${coding}`
      return { ok: false, reason }
    }
  }
  return { ok: true, value }
}
