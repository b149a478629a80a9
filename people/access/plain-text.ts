/** Why some database, or scrypt, cannot process a text unchanged; undefined if all can. */
export function faultOfText(name: string, text: string): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return `The ${name} must be well-formed Unicode.`
  return text.includes('\0') ? `The ${name} must not contain the character NUL.` : undefined
}
