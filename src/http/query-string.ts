/**
 * Finds the named parameters of a query component as the WHATWG URLSearchParams class does: the
 * first of duplicates wins. Their values are still to be decoded. By hand, because it costs a third of
 * making that object.
 */
export function findParameters<Name extends string>(
  query: string,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  const found: { [name in Name]?: string } = {}
  let start = 0
  while (start < query.length) {
    let end = query.indexOf('&', start)
    if (end < 0) end = query.length
    const equals = query.indexOf('=', start)
    const nameEnd = equals < 0 || equals > end ? end : equals
    const name = decodeValue(query.slice(start, nameEnd))
    const known = names.find((candidate) => candidate === name)
    if (known !== undefined && !Object.hasOwn(found, known)) {
      found[known] = query.slice(nameEnd + 1, end)
    }
    start = end + 1
  }
  return found
}

/** What a name or value means. */
export function decodeValue(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    // Broken escapes stay as they are and bad UTF-8 becomes U+FFFD: only the real class knows all of it.
    return new URLSearchParams(`v=${text}`).get('v') ?? ''
  }
}
