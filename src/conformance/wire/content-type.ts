/** The media type of a response and its charset, in lower case. */
export interface MediaType {
  readonly essence: string
  readonly charset: string | undefined
}

/** Parses a Content-Type (RFC 9110 section 8.3.1); undefined if it breaks the grammar. */
export function parseContentType(field: string): MediaType | undefined {
  const found = grammar.exec(field)
  if (found === null) return undefined
  const [, essence = '', parameters = ''] = found
  const charset = [...parameters.matchAll(parameter)].find(
    ([, name]) => name?.toLowerCase() === 'charset',
  )
  return {
    essence: essence.toLowerCase(),
    charset: (charset?.[2] ?? charset?.[3])?.toLowerCase(),
  }
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quoted = '"((?:[^"\\\\]|\\\\.)*)"'
const grammar = new RegExp(
  `^(${token}/${token})((?:[ \\t]*;[ \\t]*(?:${token}=(?:${token}|${quoted}))?)*)[ \\t]*$`,
)
const parameter = new RegExp(`(${token})=(?:(${token})|${quoted})`, 'g')
