import type { Random } from './random.js'

const token =
  /"""[^]*?"""|"(?:\\.|[^"\\\n])*"|\.\.\.|-?\d+(?:\.\d+)?|[_A-Za-z]\w*|[!$&()[\]{}:=|@]/g
const isName = (text: string) => /^[_A-Za-z]/.test(text)
const closing: { readonly [open: string]: string } = { '{': '}', '(': ')', '[': ']' }

/** The source with one change to its tokens, which may be no document any more. */
export function mutateTokens(
  source: string,
  vocabulary: readonly string[],
  random: Random,
): string {
  const tokens = tokensOf(source)
  const at = random.below(tokens.length)
  const changes: (() => unknown)[] = [
    () => tokens.splice(at, 1),
    () => tokens.splice(at, 0, tokens[at] as string),
    () => swap(tokens, at, random.below(tokens.length)),
    () => rename(tokens, random, vocabulary),
    () => rename(tokens, random, tokens.filter(isName)),
    () => rename(tokens, random, vocabulary),
    () => rename(tokens, random, [`${random.pick(tokens.filter(isName))}x`]),
    () => tokens.splice(...groupAt(tokens, random)),
    () => {
      const [start, length] = groupAt(tokens, random)
      tokens.splice(start, 0, ...tokens.slice(start, start + length))
    },
    () => tokens.push(...tokens.slice(0, random.below(tokens.length))),
  ]
  random.pick(changes)()
  return tokens.join(' ')
}

/** The tokens of a source text, without what is ignored. */
export function tokensOf(source: string): string[] {
  return source.match(token) ?? []
}

function swap(tokens: string[], one: number, other: number): void {
  ;[tokens[one], tokens[other]] = [tokens[other] as string, tokens[one] as string]
}

function rename(tokens: string[], random: Random, names: readonly string[]): void {
  const places = tokens.flatMap((text, index) => (isName(text) ? [index] : []))
  if (places.length > 0) tokens[random.pick(places)] = random.pick(names)
}

/** Where a bracketed group starts and how long it is, with the token before it. */
function groupAt(tokens: readonly string[], random: Random): [start: number, length: number] {
  const opens = tokens.flatMap((text, index) => (text in closing ? [index] : []))
  if (opens.length === 0) return [0, 1]
  const open = random.pick(opens)
  let depth = 0
  let end = open
  for (; end < tokens.length; end++) {
    if ((tokens[end] as string) in closing) depth++
    else if (Object.values(closing).includes(tokens[end] as string)) depth--
    if (depth === 0) break
  }
  const start = Math.max(0, open - random.below(2))
  return [start, end - start + 1]
}
