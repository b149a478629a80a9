import { Lexer, Source, TokenKind } from 'graphql'
import type { SourceFigures } from '../../../../src/graphql/limits/check-limits.js'

/** What the lexer of graphql-js gives of a text, up to its end or to where it stops. */
export interface LexedPrefix extends SourceFigures {
  readonly isWhole: boolean
}

/** Counts tokens and open brackets with the lexer itself. */
export function lexPrefix(source: string): LexedPrefix {
  const lexer = new Lexer(new Source(source))
  const lines = source.split(/\r\n|[\n\r]/).length
  let [tokens, open, nesting, longestNumber] = [0, 0, 0, 0]
  for (;;) {
    try {
      const { kind, start, end } = lexer.advance()
      if (kind === TokenKind.EOF) return { tokens, lines, longestNumber, nesting, isWhole: true }
      if (numbers.has(kind)) longestNumber = Math.max(longestNumber, end - start)
      tokens++
      if (opening.has(kind)) nesting = Math.max(nesting, ++open)
      else if (closing.has(kind)) open--
    } catch {
      return { tokens, lines, longestNumber, nesting, isWhole: false }
    }
  }
}

const numbers = new Set<string>([TokenKind.INT, TokenKind.FLOAT])
const opening = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])
