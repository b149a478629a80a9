// Characters that move the cursor, change the direction of text, or are invalid in XML or YAML; not tabs and newlines.
const unprintable =
  /(?![\n\t])[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u{feff}]/gu

/** Text of a target that can be shown anywhere: unprintable characters are escaped. */
export function toPrintable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unprintable, escapeCharacter)
}

/** The same, on one line. */
export function toPrintableLine(text: string): string {
  return toPrintable(text)
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return `\\u{${code.toString(16)}}`
}
