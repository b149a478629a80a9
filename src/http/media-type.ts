import { splitList } from './split-list.js'

/** A media type or media range, in lower case except for the values of its parameters. */
export interface MediaType {
  readonly type: string
  readonly subtype: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** Parses a media type or range (RFC 9110 section 8.3.1); undefined if it is malformed. */
export function parseMediaType(text: string): MediaType | undefined {
  const [essence = '', ...rest] = splitList(text, ';')
  const slash = essence.indexOf('/')
  const type = essence.slice(0, slash)
  const subtype = essence.slice(slash + 1)
  if (slash < 0 || !token.test(type) || !token.test(subtype)) return undefined
  const parameters: [string, string][] = []
  for (const member of rest) {
    if (member === '') continue // RFC 9110 section 5.6.6 allows empty parameters
    const parameter = parseParameter(member)
    if (parameter === undefined) return undefined
    parameters.push(parameter)
  }
  return { type: type.toLowerCase(), subtype: subtype.toLowerCase(), parameters }
}

/** `tchar` of RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const quotedString = /^"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\uffff]|\\[\t \x21-\x7e\x80-\uffff])*"$/

function parseParameter(text: string): [string, string] | undefined {
  const equals = text.indexOf('=')
  const name = text.slice(0, equals)
  const value = text.slice(equals + 1)
  if (equals < 0 || !token.test(name)) return undefined
  if (token.test(value)) return [name.toLowerCase(), value]
  if (!quotedString.test(value)) return undefined
  return [name.toLowerCase(), value.slice(1, -1).replaceAll(/\\(.)/gs, '$1')]
}
