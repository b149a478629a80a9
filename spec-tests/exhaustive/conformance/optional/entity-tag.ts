import { createHash } from 'node:crypto'
import type { Call, Reply } from './call.js'
import type { Has } from './defects.js'

/** The tag of an answer: another one for another type and for other bytes. */
export function entityTag({ url }: Call, { headers, body }: Reply, has: Has): string {
  const isStale = has('etag-stale') || has('etag-weak-stale')
  const type = has('etag-any-type') ? '' : headers['Content-Type']
  const tag = createHash('sha256')
    .update(`${type} ${isStale ? url.search : body}`)
    .digest('hex')
    .slice(0, 16)
  if (has('etag-unquoted')) return tag
  return has('weak-tags') || has('etag-weak-stale') ? `W/"${tag}"` : `"${tag}"`
}

/** Whether If-None-Match lists a tag. */
export function listsTag(call: Call, tag: string, has: Has): boolean {
  if (has('none-match-ignored') || (has('none-match-head') && call.method === 'HEAD')) return false
  return members(call, has).some((one) =>
    has('none-match-strong') ? one === tag : opaque(one) === opaque(tag),
  )
}

function members({ headers, lines }: Call, has: Has): readonly string[] {
  const all = headers['if-none-match'] ?? ''
  const field = has('none-match-one-line') ? (lines['if-none-match']?.[0] ?? '') : all
  if (has('none-match-whole')) return [field]
  if (has('none-match-commas')) {
    const pieces = field.split(/, */)
    return pieces.every((piece) => /^(?:W\/)?"[^"]*"$/.test(piece)) ? pieces : []
  }
  return field.match(/(?:W\/)?"[^"]*"/g) ?? []
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}
