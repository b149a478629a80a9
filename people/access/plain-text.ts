/** Why a text is none that every database and scrypt take as it is, if so. */
export function faultOfText(name: string, text: string): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return `The ${name} must be well-formed Unicode.`
  return text.includes('\0') ? `The ${name} must not have the character NUL.` : undefined
}
