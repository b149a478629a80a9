/**
 * Whether a JSON text may nest deeper than the limit: one with few brackets cannot, and to find out takes
 * next to nothing. To follow the brackets through the strings between them would take longer than to look
 * at the value that the text is parsed to, and the parsers of today do not recurse.
 */
export function mayNestDeeper(text: string, limit: number): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > limit) return true
    }
  }
  return false
}

/** Whether a parsed value nests deeper than the limit, which also bounds the recursion here. */
export function nestsDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  if (Array.isArray(value)) return value.some((member) => nestsDeeper(member, limit - 1))
  // An array of the values, as Object.values makes it, takes five times as long.
  for (const name in value) {
    if (nestsDeeper((value as { readonly [name: string]: unknown })[name], limit - 1)) return true
  }
  return false
}
