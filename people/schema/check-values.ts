import type { ArgumentFault } from './errors.js'

/** The greatest number, or number of characters, of each argument or member of an input that is checked. */
// oxfmt-ignore
const limits: { readonly [name: string]: number } = {
  limit: 100, age: 150, name: 200, email: 254, street: 200, city: 200, country: 200, text: 10_000,
}

export function findFaults(values: object, path: readonly string[] = []): readonly ArgumentFault[] {
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    const here = [...path, name]
    if (typeof value === 'object' && value !== null) return findFaults(value, here)
    const label = here.filter((part) => part !== 'input').join('.')
    if (value === null && name === 'name')
      return [{ path: here, message: 'name must not be null.' }]
    const message = value == null ? undefined : faultOf(name, label, value)
    return message === undefined ? [] : [{ path: here, message }]
  })
}

function faultOf(name: string, label: string, value: unknown): string | undefined {
  const most = limits[name]
  if (most === undefined) return undefined
  if (typeof value === 'number') {
    if (value >= 0 && value <= most) return undefined
    return `${label} must be from 0 to ${most}, not ${value}.`
  }
  const text = String(value)
  // With the flag `u`, only a surrogate without its other half is a surrogate.
  if (/\p{Surrogate}/u.test(text)) {
    return `${label} must be well-formed Unicode: it has a lone surrogate.`
  }
  if (text.includes('\0')) return `${label} must not contain the character NUL (U+0000).`
  // Characters are code points.
  const { length } = Array.from(text)
  if (length === 0 || length > most) {
    return `${label} must have 1 to ${most.toLocaleString('en')} characters, not ${length.toLocaleString('en')}.`
  }
  if (name === 'name' && isBlank(text)) return `${label} must not be blank.`
  // A loose check: only sending to an address shows whether it exists.
  return name !== 'email' || isEmail(text)
    ? undefined
    : `${label} must have text on both sides of a single @, and no blanks or control characters.`
}

function isEmail(text: string): boolean {
  return /^[^@\s\p{Control}]+@[^@\s\p{Control}]+$/u.test(text) && !text.split('@').some(isBlank)
}

/** Spaces, controls, everything that Unicode defines as invisible, and the blank of Braille. */
const nothing = /^[\p{White_Space}\p{Control}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether no character of a text is visible. */
export function isBlank(text: string): boolean {
  return nothing.test(text)
}
