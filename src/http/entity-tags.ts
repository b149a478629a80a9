import { fieldValue, type HeaderList } from './message.js'

/** A validator of a representation (RFC 9110 section 8.8.3). */
export interface EntityTag {
  readonly opaque: string
  readonly isWeak: boolean
}

/** Parses `If-Match` or `If-None-Match`: the tags, '*' for any, or undefined if it is malformed. */
export function parseEntityTags(field: string): '*' | readonly EntityTag[] | undefined {
  if (field.trim() === '*') return '*'
  const tags: EntityTag[] = []
  let at = skip(field, 0)
  while (at < field.length) {
    tag.lastIndex = at
    const found = tag.exec(field)
    if (found === null) return undefined
    tags.push({ opaque: found[2] ?? '', isWeak: found[1] !== undefined })
    const end = tag.lastIndex
    at = skip(field, end)
    // Tags must be separated by a comma.
    if (at < field.length && !field.slice(end, at).includes(',')) return undefined
  }
  return tags.length === 0 ? undefined : tags
}

/** `splitList` does not fit: a backslash in an entity tag is not an escape. */
const tag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y
const separators = /[ \t,]*/y

function skip(field: string, start: number): number {
  separators.lastIndex = start
  separators.exec(field)
  return separators.lastIndex
}

/** Whether one of the tags matches this strong tag. Weak comparison also accepts weak tags. */
export function matchesTag(
  tags: '*' | readonly EntityTag[],
  opaque: string,
  comparison: 'strong' | 'weak',
): boolean {
  if (tags === '*') return true
  return tags.some((one) => one.opaque === opaque && (comparison === 'weak' || !one.isWeak))
}

/** Whether the client has the representation with this strong tag. A malformed field is ignored: a full response is always correct. */
export function isKnown(headers: HeaderList, opaque: string): boolean {
  const field = fieldValue(headers, 'if-none-match')
  if (field === undefined) return false
  // Of a thousand tags, parsing takes 0.3 ms: only a field that may match is parsed.
  if (!field.includes(`"${opaque}"`) && field.trim() !== '*') return false
  const tags = parseEntityTags(field)
  return tags !== undefined && matchesTag(tags, opaque, 'weak')
}
