/** Lines of at most 100 columns, each after the margin. */
export function wrapText(text: string, margin: string): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && margin.length + line.length + word.length >= 100) {
      lines.push(margin + line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, margin + line]
}
