export interface JsonObject {
  readonly [name: string]: unknown
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A tenth of the bytes that JSON takes at most once it is parsed: lists and objects may take 24 times those of their text, anything
 * else up to ten times. Measured on Node 20.
 */
export function weightOf(text: string | Uint8Array): number {
  let brackets = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = typeof text === 'string' ? text.charCodeAt(at) : (text[at] as number)
    // '[' and '{'
    if ((code | 0x20) === 0x7b) brackets += 1
  }
  return text.length + 6 * brackets
}

/**
 * Whether a JSON text may nest deeper than the limit: not if it has few brackets, which is cheap to check.
 * Tracking the brackets outside strings would take longer than walking the parsed value, and the JSON
 * parsers of today do not recurse.
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

/** The loops check the type of each member before the call: calling for each member would take twice the time. */
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
