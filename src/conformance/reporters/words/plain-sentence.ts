/** A sentence of a specification, its Markdown links replaced by their text. */
export function toPlainSentence(text: string): string {
  return text.replaceAll(
    /\[([^\]]+)\](?:\(<[^>]*>\)|\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])/g,
    '$1',
  )
}
