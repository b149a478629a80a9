// Characters that move the cursor, change the direction of text, or are invalid in XML or YAML; not tabs and newlines.
const unprintable =
  /(?![\n\t])[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u{feff}]/gu

/** Text of a target that can be shown anywhere: unprintable characters are escaped. */
export function toPrintable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unprintable, escapeCharacter)
}

/** Printable text, escaped for an element or an attribute of XML. */
export function escapeXml(text: string): string {
  return toPrintable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

export function toPrintableLine(text: string): string {
  const lines = toPrintable(text)
    .split('\n')
    .map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

/** The text of a JSON value, which stays the same: unprintable characters occur only in its strings, and are escaped there. */
export function toPrintableJson(json: string): string {
  // Lines of a log, which are nearly always plain, take a tenth of the time.
  if (/^[\x20-\x7e]*$/.test(json)) return json
  return json.replaceAll(unprintable, (character) =>
    // A character beyond the first 65,536 is two of UTF-16.
    character.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return `\\u{${code.toString(16)}}`
}

/** The minimum width of text, however narrow the terminal is. */
export const leastText = 20

/** The words of a text in lines; a word that is too long for one stays whole. The margin is that of all lines but the first. */
export function wrapText(
  text: string,
  columns: number,
  first: string,
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
