/** The minimum width of text, however narrow the terminal is. */
export const leastText = 20

/** The words of a text in lines; a word that is too long for one stays whole. The margin is that of all lines but the first. */
export function wrapText(
  text: string,
  columns: number,
  first = '',
  margin: string = first,
): readonly string[] {
  const room = Math.max(columns, margin.length + leastText)
  const lines: string[] = []
  const [start = '', ...words] = text.split(' ')
  let line = first + start
  for (const word of words) {
    if (line.length + 1 + word.length > room) {
      lines.push(line)
      line = margin + word
    } else line += ` ${word}`
  }
  return [...lines, line]
}

export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
