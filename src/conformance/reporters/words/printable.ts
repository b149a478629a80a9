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

/** A sentence of a specification, its Markdown links replaced by their text. */
export function toPlainSentence(text: string): string {
  return text.replaceAll(
    /\[([^\]]+)\](?:\(<[^>]*>\)|\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])/g,
    '$1',
  )
}
