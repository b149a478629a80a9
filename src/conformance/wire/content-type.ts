/** The media type of a response and its charset, in lower case. */
export interface ParsedContentType {
  readonly essence: string
  readonly charset: string | undefined
}

/** Parses a Content-Type (RFC 9110 section 8.3.1); undefined if it breaks the grammar. */
export function parseContentType(field: string): ParsedContentType | undefined {
  const read = readParameters(field)
  if (read === undefined) return undefined
  const charset = read.parameters.get('charset')?.toLowerCase()
  return { essence: read.essence.toLowerCase(), charset }
}

/** The value of a parameter of a Content-Type; undefined if it is missing, or the field breaks the grammar. */
export function contentTypeParameter(field: string, name: string): string | undefined {
  return readParameters(field)?.parameters.get(name)
}

interface TypeParameters {
  readonly essence: string
  /** By name in lower case; of two with one name the first. */
  readonly parameters: ReadonlyMap<string, string>
}

function readParameters(field: string): TypeParameters | undefined {
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
  return { essence, parameters }
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quoted = '"((?:[^"\\\\]|\\\\.)*)"'
const essenceOf = new RegExp(`^${token}/${token}`)
/** A semicolon, maybe with a parameter behind it. */
const parameter = new RegExp(`[ \\t]*;[ \\t]*(?:(${token})=(?:(${token})|${quoted}))?`, 'y')
