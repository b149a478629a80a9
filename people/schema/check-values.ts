import type { ArgumentFault } from './errors.js'

/** The checks of arguments and members of inputs, by name, beyond the types of the schema. */
const checks: { readonly [name: string]: (label: string, value: never) => string | undefined } = {
  limit: (label, value: number) => rangeFault(label, value, 100),
  age: (label, value: number) => rangeFault(label, value, 150),
  name: (label, value: string) =>
    textFault(label, value, 200) ?? (isBlank(value) ? `${label} must not be blank.` : undefined),
  // A loose check: only sending to an address shows whether it exists.
  email: (label, value: string) =>
    textFault(label, value, 254) ??
    (isEmail(value)
      ? undefined
      : `${label} must have text on both sides of a single @, and no blanks or control characters.`),
  street: (label, value: string) => textFault(label, value, 200),
  city: (label, value: string) => textFault(label, value, 200),
  country: (label, value: string) => textFault(label, value, 200),
  text: (label, value: string) => textFault(label, value, 10_000),
}

export function findFaults(values: object, path: readonly string[] = []): readonly ArgumentFault[] {
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    const here = [...path, name]
    if (typeof value === 'object' && value !== null) return findFaults(value, here)
    const label = here.filter((part) => part !== 'input').join('.')
    if (value === null && name === 'name')
      return [{ path: here, message: 'name must not be null.' }]
    const message = value == null ? undefined : checks[name]?.(label, value as never)
    return message === undefined ? [] : [{ path: here, message }]
  })
}

function rangeFault(label: string, value: number, most: number): string | undefined {
  if (value >= 0 && value <= most) return undefined
  return `${label} must be from 0 to ${most}, not ${value}.`
}

/** A text has 1 to so many characters, which are code points. */
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

function isEmail(text: string): boolean {
  return /^[^@\s\p{Control}]+@[^@\s\p{Control}]+$/u.test(text) && !text.split('@').some(isBlank)
}

/** Spaces, controls, everything that Unicode defines as invisible, and the blank of Braille. */
const nothing = /^[\p{White_Space}\p{Control}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Whether no character of a text is visible. */
export function isBlank(text: string): boolean {
  return nothing.test(text)
}
