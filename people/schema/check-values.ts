import { refuseFaults, type ArgumentFault } from './errors.js'

/** The longest text in characters, which are code points. */
const longest = { name: 200, addressPart: 200, email: 254, message: 10_000 } as const

/** Checks the name of a person. */
export function checkName(name: string): readonly ArgumentFault[] {
  const path = ['name']
  const faults = checkText(path, name, longest.name)
  if (faults.length > 0 || !isBlank(name)) return faults
  return [{ path, message: 'name must not be blank.' }]
}

/** Checks a part of an address; it must not be empty, since null means absent. */
export function checkAddressPart(part: string, text: string): readonly ArgumentFault[] {
  return checkText(['address', part], text, longest.addressPart)
}

/** Checks the text of a message. */
export function checkMessageText(text: string): readonly ArgumentFault[] {
  return checkText(['text'], text, longest.message)
}

/** Checks an email address loosely: only sending to it shows more. */
export function checkEmail(email: string): readonly ArgumentFault[] {
  const path = ['email']
  const faults = checkText(path, email, longest.email)
  if (faults.length > 0 || isEmail(email)) return faults
  const message =
    'email must have text on both sides of a single @, and no blanks or control characters.'
  return [{ path, message }]
}

function isEmail(text: string): boolean {
  return /^[^@\s\p{Control}]+@[^@\s\p{Control}]+$/u.test(text) && !text.split('@').some(isBlank)
}

function checkText(path: readonly string[], text: string, most: number): readonly ArgumentFault[] {
  const message = textFault(path.join('.'), text, most)
  return message === undefined ? [] : [{ path, message }]
}

function textFault(label: string, text: string, most: number): string | undefined {
  // With the flag `u`, only a surrogate without its other half is a surrogate.
  if (/\p{Surrogate}/u.test(text)) {
    return `${label} must be well-formed Unicode: it has a lone surrogate.`
  }
  if (text.includes('\0')) return `${label} must not contain the character NUL (U+0000).`
  const { length } = Array.from(text)
  if (length > 0 && length <= most) return undefined
  return `${label} must have 1 to ${most.toLocaleString('en')} characters, not ${length.toLocaleString('en')}.`
}

/** The maximum length of a list, from its argument `limit`. */
export function readLimit(limit: number | null | undefined): number {
  refuseFaults(checkRange('limit', limit, 100))
  return limit ?? 10
}

/** Checks the age of a person in years. */
export function checkAge(age: number | null | undefined): readonly ArgumentFault[] {
  return checkRange('age', age, 150)
}

function checkRange(
  name: string,
  value: number | null | undefined,
  most: number,
): readonly ArgumentFault[] {
  if (value == null || (value >= 0 && value <= most)) return []
  return [{ path: [name], message: `${name} must be from 0 to ${most}, not ${value}.` }]
}

/** Spaces, controls, everything that Unicode defines as invisible, and the blank of Braille. */
const nothing = /^[\p{White_Space}\p{Control}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether no character of a text is visible. */
export function isBlank(text: string): boolean {
  return nothing.test(text)
}
