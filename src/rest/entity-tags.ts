/** A validator of a representation (RFC 9110 section 8.8.3). */
export interface EntityTag {
  readonly opaque: string
  readonly isWeak: boolean
}

/** The tags of `If-Match` or `If-None-Match`, '*' for any, or undefined where the grammar is broken. */
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
    // Two tags have a comma between them.
    if (at < field.length && !field.slice(end, at).includes(',')) return undefined
  }
  return tags.length === 0 ? undefined : tags
}

/** By hand and not by `splitList`, since a backslash in a tag is no escape. */
const tag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y
const separators = /[ \t,]*/y

function skip(field: string, start: number): number {
  separators.lastIndex = start
  separators.exec(field)
  return separators.lastIndex
}

/** Whether one of the tags is this strong one. Weak comparison also takes those that are weak. */
export function matchesTag(
  tags: '*' | readonly EntityTag[],
  opaque: string,
  comparison: 'strong' | 'weak',
): boolean {
  if (tags === '*') return true
  return tags.some((one) => one.opaque === opaque && (comparison === 'weak' || !one.isWeak))
}
