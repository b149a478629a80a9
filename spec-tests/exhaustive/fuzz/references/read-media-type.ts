export interface ReadMediaType {
  readonly type: string
  readonly subtype: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

const tokenCharacters = new Set(
  "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
)

/** The grammar of RFC 9110 section 8.3.1, one character after the other. */
export function readMediaType(text: string): ReadMediaType | undefined {
  const characters = text.split('')
  let at = 0
  const skipSpace = (): void => {
    while (characters[at] === ' ' || characters[at] === '\t') at++
  }
  const readToken = (): string => {
    let token = ''
    while (tokenCharacters.has(characters[at] ?? '')) token += characters[at++]
    return token
  }
  skipSpace()
  const type = readToken()
  if (type === '' || characters[at++] !== '/') return undefined
  const subtype = readToken()
  if (subtype === '') return undefined
  const parameters: [string, string][] = []
  for (;;) {
    skipSpace()
    if (at === characters.length) break
    if (characters[at++] !== ';') return undefined
    skipSpace()
    if (at === characters.length) break
    if (characters[at] === ';') continue
    const name = readToken()
    if (name === '' || characters[at++] !== '=') return undefined
    let value: string | undefined = readToken()
    if (value === '') {
      const quoted = readQuoted(characters, at)
      value = quoted?.value
      at = quoted?.end ?? at
    }
    if (value === undefined) return undefined
    parameters.push([name.toLowerCase(), value])
  }
  return { type: type.toLowerCase(), subtype: subtype.toLowerCase(), parameters }
}

/** A quoted-string of RFC 9110 section 5.6.4. */
function readQuoted(
  characters: readonly string[],
  start: number,
): { readonly value: string; readonly end: number } | undefined {
  if (characters[start] !== '"') return undefined
  let value = ''
  for (let at = start + 1; at < characters.length; at++) {
    let character = characters[at] as string
    if (character === '"') return { value, end: at + 1 }
    if (character === '\\') character = characters[++at] ?? '\0'
    const code = character.charCodeAt(0)
    if ((code < 0x20 && code !== 9) || code === 0x7f) return undefined
    value += character
  }
  return undefined
}
