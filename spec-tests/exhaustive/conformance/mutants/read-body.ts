import type { ByteReader } from './byte-reader.js'
import type { Has } from './defects.js'
import { fieldOf, linesOf, type FieldLine } from './message.js'
import { refuse, type Head, type OrRefused } from './read-head.js'

/** How the end of a body is found. */
export type Framing =
  | { readonly kind: 'chunked' }
  | { readonly kind: 'length'; readonly length: number }

const maxBody = 1024 * 1024

/** Chooses the framing (RFC 9112 section 6.3), and refuses what an intermediary could read otherwise. */
export function chooseFraming({ headers, minor }: Head, has: Has): OrRefused<Framing> {
  const coding = fieldOf(headers, 'transfer-encoding')?.toLowerCase()
  const lengths = linesOf(headers, 'content-length')
  if (coding !== undefined && !(lengths.length > 0 && has('length-beside-chunked-wins'))) {
    if (minor === 0) return refuse(400, 'HTTP/1.0 has no Transfer-Encoding.')
    if (lengths.length > 0 && !has('length-beside-chunked-accepted')) {
      return refuse(400, 'Transfer-Encoding and Content-Length contradict each other.')
    }
    if (coding === 'chunked') return { value: { kind: 'chunked' } }
    if (has('unknown-transfer-coding-accepted')) return { value: { kind: 'length', length: 0 } }
    return coding.endsWith('chunked')
      ? refuse(501, 'Of the transfer codings only chunked is there.')
      : refuse(400, 'The body has no end.')
  }
  return chooseLength(lengths, has)
}

function chooseLength(lengths: readonly string[], has: Has): OrRefused<Framing> {
  const [length = '0', ...more] = lengths
  if (more.length > 0 && !has('two-lengths-accepted')) return refuse(400, 'There are two lengths.')
  if (!/^\d{1,15}$/.test(length)) {
    if (!has('broken-length-accepted')) return refuse(400, 'Content-Length is no number.')
    return { value: { kind: 'length', length: Math.max(0, Number.parseInt(length, 10) || 0) } }
  }
  if (Number(length) > maxBody) return refuseLarge(has)
  return { value: { kind: 'length', length: Number(length) } }
}

/** Reads a body in the pieces in which it was framed. */
export async function readBody(
  reader: ByteReader,
  framing: Framing,
  has: Has,
): Promise<OrRefused<readonly Buffer[]>> {
  if (framing.kind === 'chunked') return readChunks(reader, has)
  const body = await reader.exactly(framing.length)
  if (body === undefined && has('incomplete-body-executed')) return { value: [reader.peek()] }
  return body === undefined ? refuse(400, 'The body is not whole.') : { value: [body] }
}

async function readChunks(reader: ByteReader, has: Has): Promise<OrRefused<readonly Buffer[]>> {
  const pieces: Buffer[] = []
  let left = maxBody
  for (;;) {
    const read = await reader.line(4096)
    const line = 'text' in read ? read.text : ''
    const size = /^([0-9a-f]{1,8})(?:[ \t]*;[^\r\n]*)?$/i.exec(line)?.[1]
    if (size === undefined) return refuse(400, 'A chunk has no size.')
    if (has('chunk-extensions-refused') && line.includes(';')) return refuse(400, 'An extension.')
    if (has('chunk-size-in-capitals-refused') && /[A-F]/.test(size)) return refuse(400, 'Capitals.')
    const length = Number.parseInt(size, 16)
    left -= length
    if (left < 0) return refuseLarge(has)
    if (length === 0) return (await skipTrailers(reader, has)) ?? { value: pieces }
    const piece = await reader.exactly(length)
    const end = await reader.exactly(2)
    if (piece === undefined || end?.toString() !== '\r\n') return refuse(400, 'A chunk is broken.')
    pieces.push(piece)
  }
}

async function skipTrailers(reader: ByteReader, has: Has): Promise<OrRefused<never> | undefined> {
  for (;;) {
    const line = await reader.line(4096)
    if ('fault' in line) return refuse(400, 'The trailers have no end.')
    if (line.text === '') return undefined
    if (has('trailers-refused')) return refuse(400, 'Trailers.')
  }
}

function refuseLarge(has: Has): OrRefused<never> {
  return refuse(has('413-is-500') ? 500 : 413, 'The body is too large.')
}

/** What Expect asks for (RFC 9110 section 10.1.1). */
export function expectation(headers: readonly FieldLine[]): 'none' | 'continue' | 'unknown' {
  const expected = fieldOf(headers, 'expect')?.toLowerCase()
  if (expected === undefined) return 'none'
  return expected === '100-continue' ? 'continue' : 'unknown'
}
