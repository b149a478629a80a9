/** A sentence of a specification with the text of its Markdown links in the place of the links. */
export function toPlainSentence(text: string): string {
  return text.replaceAll(
    /\[([^\]]+)\](?:\(<[^>]*>\)|\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])/g,
    '$1',
  )
}
