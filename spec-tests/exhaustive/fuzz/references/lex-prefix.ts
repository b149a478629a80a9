import { Lexer, Source, TokenKind } from 'graphql'
import type { SourceFigures } from '../../../../src/graphql/limits/check-limits.js'

/** What the lexer of graphql-js gives of a text, up to its end or to where it stops. */
export type LexedPrefix = SourceFigures & { readonly isWhole: boolean }

/** Counts tokens and open brackets with the lexer itself. */
export function lexPrefix(source: string): LexedPrefix {
  const lexer = new Lexer(new Source(source))
  const maxLines = source.split(/\r\n|[\n\r]/).length
  const figures = { maxTokens: 0, maxLines, maxNumberLength: 0, maxNesting: 0 }
  let open = 0
  for (;;) {
    try {
      const { kind, start, end } = lexer.advance()
      if (kind === TokenKind.EOF) return { ...figures, isWhole: true }
      const length = numbers.has(kind) ? end - start : 0
      figures.maxNumberLength = Math.max(figures.maxNumberLength, length)
      figures.maxTokens++
      if (opening.has(kind)) figures.maxNesting = Math.max(figures.maxNesting, ++open)
      else if (closing.has(kind)) open--
    } catch {
      return { ...figures, isWhole: false }
    }
  }
}

const numbers = new Set<string>([TokenKind.INT, TokenKind.FLOAT])
const opening = new Set<string>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing = new Set<string>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])
