import type { OperationDefinitionNode, Token } from 'graphql'

/** The comment that ends in the line above an operation, without its `#`; undefined if there is none. */
export function commentAbove({ loc }: OperationDefinitionNode): string | undefined {
  const lines: string[] = []
  let below: Token | undefined = loc?.startToken
  for (;;) {
    const token: Token | null | undefined = below?.prev
    if (token?.kind !== 'Comment' || token.line + 1 !== below?.line) break
    lines.unshift(token.value.replace(/^ /, '').trimEnd())
    below = token
  }
  const text = lines
    .filter((line) => !line.startsWith('import '))
    .join('\n')
    .trim()
  return text === '' ? undefined : text
}
