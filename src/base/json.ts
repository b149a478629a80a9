export interface JsonObject {
  readonly [name: string]: unknown
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A tenth of the bytes that JSON takes at most once it is parsed: an object with a number as a key may take 40 times those of its
 * text, since V8 gives it a list with room for each number below; other lists and objects 24 times, anything else up to ten
 * times. Measured on Node 20.
 */
export function weightOf(text: string | Uint8Array): number {
  let more = 0
  let before = 0
  let endsInDigit = false
  for (let at = 0; at < text.length; at += 1) {
    const code = typeof text === 'string' ? text.charCodeAt(at) : (text[at] as number)
    // '[' and '{', then the quotation mark, then the colon: an escaped digit ends in one, too.
    if ((code | 0x20) === 0x7b) more += 6
    else if (code === 0x22) endsInDigit = before >= 0x30 && before <= 0x39
    else if (code === 0x3a && endsInDigit) more += 21
    before = code
  }
  return text.length + more
}

/** A tenth of how many times its text JSON takes at most. */
export const mostWeight = 4

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
