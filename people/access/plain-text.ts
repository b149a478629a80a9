/** Why a text cannot be stored unchanged by every database and by scrypt; undefined if it can. */
export function faultOfText(name: string, text: string): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return `The ${name} must be well-formed Unicode.`
  return text.includes('\0') ? `The ${name} must not contain the character NUL.` : undefined
}
