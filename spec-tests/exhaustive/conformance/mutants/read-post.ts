import type { Has } from './defects.js'
import { parseMediaType } from './media-type.js'
import { fieldOf, type Request } from './message.js'
import { BadRequest, checkParameters, type Parameters } from './parameters.js'

/** Reads the parameters from the body of a POST. */
export function readPost(request: Request, has: Has): Parameters {
  checkContentType(fieldOf(request.headers, 'content-type'), has)
  const coding = fieldOf(request.headers, 'content-encoding')?.toLowerCase() ?? 'identity'
  if (coding !== 'identity') {
    throw new BadRequest(415, 'No content coding is supported.')
  }
  const json = parse(decode(request.pieces, has), has)
  if (!has('post-reads-the-url') && !has('post-prefers-the-url')) return checkParameters(json, has)
  const { query, operationName } = Object.fromEntries(new URLSearchParams(request.query))
  const fromUrl = { ...(query && { query }), ...(operationName && { operationName }) }
  const merged = has('post-prefers-the-url')
    ? { ...(json as object), ...fromUrl }
    : { ...fromUrl, ...(json as object) }
  return checkParameters(merged, has)
}

function checkContentType(field: string | undefined, has: Has): void {
  const refusal = new BadRequest(has('415-is-400') ? 400 : 415, 'The body is no JSON in UTF-8.')
  if (field === undefined) {
    if (has('missing-content-type-accepted')) return
    throw refusal
  }
  if (has('content-type-not-looked-at')) return
  if (has('content-type-found-anywhere') && field.includes('application/json')) return
  if (has('content-type-case-sensitive') && /^[^;]*[A-Z]/.test(field)) throw refusal
  if (has('content-type-with-white-space-refused') && /\s;/.test(field)) throw refusal
  if (has('content-type-with-parameters-refused') && field.includes(';')) throw refusal
  const type = parseMediaType(field)
  if (type?.essence !== 'application/json') throw refusal
  const charset = type.parameters.get('charset')
  if (has('charset-ignored') || charset === undefined) return
  if (has('charset-quoted-refused') && field.includes('"')) throw refusal
  if (has('charset-case-sensitive') && charset !== 'utf-8') throw refusal
  if (charset.toLowerCase() !== 'utf-8') throw refusal
}

function decode(pieces: readonly Buffer[], has: Has): string {
  if (has('body-in-latin1')) return Buffer.concat(pieces).toString('latin1')
  if (has('body-decoded-chunk-by-chunk')) return pieces.map((piece) => piece.toString()).join('')
  try {
    const decoder = new TextDecoder('utf-8', { fatal: !has('broken-utf-8-replaced') })
    return decoder.decode(Buffer.concat(pieces))
  } catch {
    throw new BadRequest(400, 'The body is not in UTF-8.')
  }
}

function parse(text: string, has: Has): unknown {
  try {
    return JSON.parse(has('json-read-leniently') ? repair(text) : text) as unknown
  } catch {
    if (has('broken-json-200')) throw new BadRequest(200, 'The body is no JSON.')
    if (has('broken-json-500')) throw new BadRequest(500, 'The body is no JSON.')
    throw new BadRequest(has('broken-json-422') ? 422 : 400, 'The body is no JSON.')
  }
}

/** Takes trailing commas and what follows the end, and closes what is open. */
function repair(text: string): string {
  const tidy = text.replaceAll(/,\s*([}\]])/g, '$1').replace(/^(\{.*\})[^}]*$/s, '$1')
  const open = tidy.split('{').length - tidy.split('}').length
  const quotes = tidy.split('"').length % 2 === 0 ? '"' : ''
  return tidy === '' ? '{"query":"{__typename}"}' : tidy + quotes + '}'.repeat(Math.max(0, open))
}
