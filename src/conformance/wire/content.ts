import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Json } from '../suite/checks.js'
import { fieldOf, maxResponseBytes, type WireResponse } from './exchange.js'

/** A decoded body, or why it cannot be decoded. */
export type DecodedContent =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly reason: string }

const decoders = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
} as const

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

/** What was read of a response: dozens of assertions ask for it, and a large body takes a second each time. */
const readings = new WeakMap<WireResponse, ContentReading>()

function readingOf(response: WireResponse): ContentReading {
  const reading = readings.get(response) ?? new ContentReading(response)
  readings.set(response, reading)
  return reading
}

/** Reads as much as it is asked for, once. */
class ContentReading {
  readonly content: DecodedContent
  #text: { readonly value: string | undefined } | undefined
  #json: { readonly value: Json | undefined } | undefined

  constructor(response: WireResponse) {
    this.content = decode(response)
  }

  get text(): string | undefined {
    this.#text ??= { value: this.content.ok ? toText(this.content.value) : undefined }
    return this.#text.value
  }

  get json(): Json | undefined {
    this.#json ??= { value: this.text === undefined ? undefined : parse(this.text) }
    return this.#json.value
  }
}

function toText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** No server needs more, and each may blow the body up to the largest size. */
const maxCodings = 4

function decode(response: WireResponse): DecodedContent {
  const field = fieldOf(response, 'content-encoding') ?? ''
  const codings = field
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > maxCodings) {
    const reason = `Content-Encoding has ${codings.length} codings, more than ${maxCodings}`
    return { ok: false, reason }
  }
  let value = response.body
  for (const coding of codings.toReversed()) {
    if (value.length === 0) break
    if (!isKnown(coding)) return { ok: false, reason: `unsupported Content-Encoding ${coding}` }
    try {
      value = decoders[coding](value, { maxOutputLength: maxResponseBytes })
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

function isKnown(coding: string): coding is keyof typeof decoders {
  return Object.hasOwn(decoders, coding)
}
