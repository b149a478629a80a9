/** A Content-Type, its essence in lower case. */
export interface ParsedContentType {
  readonly essence: string
  /** By name in lower case; of two with one name the first. */
  readonly parameters: ReadonlyMap<string, string>
}

/** Parses a Content-Type (RFC 9110 section 8.3.1); undefined if it breaks the grammar. */
export function parseContentType(field: string): ParsedContentType | undefined {
  const essence = essenceOf.exec(field)?.[0]
  if (essence === undefined) return undefined
  const parameters = new Map<string, string>()
  let rest = field.slice(essence.length)
  // One parameter after the other: one expression for all could backtrack over white space.
  for (const [whole, name, token, quoted] of rest.matchAll(parameter)) {
    const key = name?.toLowerCase()
    const value = token ?? quoted
    if (key !== undefined && value !== undefined && !parameters.has(key)) parameters.set(key, value)
    rest = rest.slice(whole.length)
  }
  if (!/^[ \t]*$/.test(rest)) return undefined
  return { essence: essence.toLowerCase(), parameters }
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quoted = '"((?:[^"\\\\]|\\\\.)*)"'
const essenceOf = new RegExp(`^${token}/${token}`)
/** A semicolon, maybe with a parameter behind it. */
const parameter = new RegExp(`[ \\t]*;[ \\t]*(?:(${token})=(?:(${token})|${quoted}))?`, 'gy')
