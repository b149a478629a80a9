/** The media type of a response and its charset, in lower case. */
export interface MediaType {
  readonly essence: string
  readonly charset: string | undefined
}

/** Parses a Content-Type (RFC 9110 section 8.3.1); undefined if it breaks the grammar. */
export function parseContentType(field: string): MediaType | undefined {
  const essence = essenceOf.exec(field)?.[0]
  if (essence === undefined) return undefined
  let charset: string | undefined
  let rest = essence.length
  // One parameter after the other: one expression for all of them could share out white space in too many ways.
  for (;;) {
    parameter.lastIndex = rest
    const found = parameter.exec(field)
    if (found === null) break
    const [whole, name, token, quoted] = found
    if (name?.toLowerCase() === 'charset') charset ??= token ?? quoted
    rest += whole.length
  }
  if (!/^[ \t]*$/.test(field.slice(rest))) return undefined
  return { essence: essence.toLowerCase(), charset: charset?.toLowerCase() }
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quoted = '"((?:[^"\\\\]|\\\\.)*)"'
const essenceOf = new RegExp(`^${token}/${token}`)
/** A semicolon, maybe with a parameter behind it. */
const parameter = new RegExp(`[ \\t]*;[ \\t]*(?:(${token})=(?:(${token})|${quoted}))?`, 'y')
