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
  return isContainer(value) && holdsDeeper(value, limit)
}

/** By loops that ask of each member first what it is: a call for each would take twice the time. */
function holdsDeeper(container: object, limit: number): boolean {
  if (limit === 0) return true
  if (Array.isArray(container)) {
    for (const member of container as unknown[]) {
      if (isContainer(member) && holdsDeeper(member, limit - 1)) return true
    }
    return false
  }
  const members = container as { readonly [name: string]: unknown }
  for (const name in members) {
    const member = members[name]
    if (isContainer(member) && holdsDeeper(member, limit - 1)) return true
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
