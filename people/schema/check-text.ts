import type { InputFault } from './bad-input.js'

/** The longest text in characters, which are code points. */
const longest = { name: 200, addressPart: 200, email: 254, message: 10_000 } as const

/** Checks the name of a person. */
export function checkName(name: string): readonly InputFault[] {
  const path = ['name']
  const faults = checkText(path, name, longest.name)
  if (faults.length > 0 || name.trim() !== '') return faults
  return [{ path, message: 'name must not be only blanks.' }]
}

/** Checks a part of an address; an empty one says nothing, for which there is null. */
export function checkAddressPart(part: string, text: string): readonly InputFault[] {
  return checkText(['address', part], text, longest.addressPart)
}

/** Checks the text of a message. */
export function checkMessageText(text: string): readonly InputFault[] {
  return checkText(['text'], text, longest.message)
}

/** Checks an email address loosely: only sending to it shows more. */
export function checkEmail(email: string): readonly InputFault[] {
  const path = ['email']
  const faults = checkText(path, email, longest.email)
  if (faults.length > 0 || /^[^@\s\p{Control}]+@[^@\s\p{Control}]+$/u.test(email)) return faults
  const message =
    'email must be one @ with text on both sides, without blanks and control characters.'
  return [{ path, message }]
}

function checkText(path: readonly string[], text: string, most: number): readonly InputFault[] {
  const message = textFault(path.join('.'), text, most)
  return message === undefined ? [] : [{ path, message }]
}

function textFault(label: string, text: string, most: number): string | undefined {
  // With the flag `u`, only a surrogate without its other half is a surrogate.
  if (/\p{Surrogate}/u.test(text)) {
    return `${label} must be well-formed Unicode, and has half of a surrogate pair.`
  }
  if (text.includes('\0')) return `${label} must not have the character NUL (U+0000).`
  const length = countCharacters(text)
  if (length > 0 && length <= most) return undefined
  return `${label} must have 1 to ${most.toLocaleString('en')} characters, not ${length.toLocaleString('en')}.`
}

function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
