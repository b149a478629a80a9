/** A media type or media range with its parameters, names in lower case. */
export interface MediaType {
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quoted = '"(?:[^"\\\\]|\\\\.)*"'
const whole = new RegExp(
  `^(${token}/${token})((?:[ \\t]*;[ \\t]*(?:${token}=(?:${token}|${quoted}))?)*)[ \\t]*$`,
)
const one = new RegExp(`(${token})=(${token}|${quoted})`, 'g')

/** Parses a media type (RFC 9110 section 8.3.1); undefined where it is none. */
export function parseMediaType(text: string): MediaType | undefined {
  const found = whole.exec(text)
  if (found === null) return undefined
  const parameters = new Map<string, string>()
  for (const [, name = '', value = ''] of (found[2] ?? '').matchAll(one)) {
    parameters.set(name.toLowerCase(), unquote(value))
  }
  return { essence: (found[1] ?? '').toLowerCase(), parameters }
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value
}
