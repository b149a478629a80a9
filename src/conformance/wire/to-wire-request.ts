import { StringDecoder } from 'node:string_decoder'
import type { CountedRepeat, RequestFixture } from '../suite/request-fixture.js'
import { requestTarget, type Target } from './target.js'
import type { FieldLine } from './exchange.js'

/** A request as it is sent. */
export interface WireRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly FieldLine[]
  readonly body: Uint8Array | undefined
}

/** The largest body of a fixture, so that a typo cannot exhaust the memory. */
const maxRepeatedLength = 64 * 1024 * 1024

/** Makes the request of a fixture ready to send; `more` are the user's headers. */
export function toWireRequest(
  request: RequestFixture,
  target: Target,
  more: readonly FieldLine[],
): WireRequest {
  const query = request.rawQuery ?? toQuery(request.query ?? {})
  const headers: FieldLine[] = []
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (value !== null) for (const line of [value].flat()) headers.push([name, line])
  }
  const fieldNames = new Set(Object.keys(request.headers ?? {}).map((name) => name.toLowerCase()))
  if (request.json !== undefined && !fieldNames.has('content-type')) {
    headers.push(['content-type', 'application/json'])
  }
  for (const line of more) if (!fieldNames.has(line[0].toLowerCase())) headers.push(line)
  return {
    method: request.method ?? 'POST',
    target: requestTarget(target, request.path ?? '', query),
    headers,
    body: toBody(request),
  }
}

function toQuery(parameters: { readonly [name: string]: string }): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}

function toBody({ json, text, hex, repeat, before = '', after = '', parts }: RequestFixture) {
  if (json !== undefined) return Buffer.from(JSON.stringify(json))
  if (text !== undefined) return Buffer.from(text)
  if (hex !== undefined) return Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')
  if (parts !== undefined) return Buffer.from(parts.map(toText).join(''))
  return repeat && Buffer.from(before + toText(repeat) + after)
}

function toText(part: string | CountedRepeat): string {
  if (typeof part === 'string') return part
  const { text, times, counter } = part
  if (text.length * times > maxRepeatedLength) {
    throw new Error(`A body of ${text.length * times} characters is too large.`)
  }
  if (counter === undefined) return text.repeat(times)
  return Array.from({ length: times }, (_, at) => text.replaceAll(counter, String(at))).join('')
}

/** The request as the server sees it, as text for people; a long body is truncated. */
export function formatRequest(request: WireRequest, host: string, version = '1.1'): string {
  const lines = [
    `${request.method} ${request.target} HTTP/${version}`,
    `host: ${host}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\n')}\n\n${formatBytes(request.body ?? new Uint8Array(0))}`
}

/** Bytes as text for people: unprintable characters are escaped, long text is truncated. */
export function formatBytes(bytes: Uint8Array, limit = 2000): string {
  const decoder = new StringDecoder('utf8')
  const isCut = bytes.length > limit
  const start = decoder.write(Buffer.from(bytes.subarray(0, limit)))
  // Half a character at the cut is left out.
  const text = isCut ? start : start + decoder.end()
  const more = isCut ? `\n... ${bytes.length - limit} bytes more` : ''
  // oxlint-disable-next-line no-control-regex -- control characters are what is to be escaped
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, escapeControl) + more
}

function escapeControl(character: string): string {
  if (character === '\r') return ''
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}
