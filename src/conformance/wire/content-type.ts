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
  let rest = essence.length
  // One parameter after the other: one expression for all could backtrack over white space.
  for (;;) {
    parameter.lastIndex = rest
    const found = parameter.exec(field)
    if (found === null) break
    const [whole, name, token, quoted] = found
    const key = name?.toLowerCase()
    const value = token ?? quoted
    if (key !== undefined && value !== undefined && !parameters.has(key)) parameters.set(key, value)
    rest += whole.length
  }
  if (!/^[ \t]*$/.test(field.slice(rest))) return undefined
  return { essence: essence.toLowerCase(), parameters }
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quoted = '"((?:[^"\\\\]|\\\\.)*)"'
const essenceOf = new RegExp(`^${token}/${token}`)
/** A semicolon, maybe with a parameter behind it. */
const parameter = new RegExp(`[ \\t]*;[ \\t]*(?:(${token})=(?:(${token})|${quoted}))?`, 'y')
