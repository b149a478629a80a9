/** Whether a JSON text nests deeper than the limit. What is no JSON is left to the parser. */
export function isTextNestedDeeper(text: string, limit: number): boolean {
  return hasMoreBrackets(text, limit) && nestsDeeper(text, limit)
}

/** A text with few brackets cannot nest deep, and to find out takes next to nothing. */
function hasMoreBrackets(text: string, limit: number): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > limit) return true
    }
  }
  return false
}

function nestsDeeper(text: string, limit: number): boolean {
  let open = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++open > limit) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        open--
        break
    }
  }
  return false
}

/** The place of the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

/** Whether a parsed value nests deeper than the limit, which also bounds the recursion here. */
export function isValueNestedDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  return Object.values(value).some((member) => isValueNestedDeeper(member, limit - 1))
}
