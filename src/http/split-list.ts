/**
 * Splits at a separator outside quoted strings (RFC 9110 section 5.6.4) and trims optional whitespace.
 * Empty members are kept: the caller decides what they mean.
 */
export function splitList(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator).map(trimSpace)
  const members: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (quoted && char === '\\') at++
    else if (char === '"') quoted = !quoted
    else if (char === separator && !quoted) {
      members.push(trimSpace(text.slice(start, at)))
      start = at + 1
    }
  }
  members.push(trimSpace(text.slice(start)))
  return members
}

/** OWS is only space and tab; `trim` would also remove no-break spaces and line breaks. */
function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}
