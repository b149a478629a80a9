import { GraphQLError } from 'graphql'
import type { Denial } from 'graphwire'
import { StoreUnavailable, type Unavailability } from '../store/store.js'

export interface ArgumentFault {
  readonly path: readonly string[]
  readonly message: string
}

function failed(code: string, message: string, more: object): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } })
}

/** All invalid values of a call as one error. */
export function badInput(errors: readonly ArgumentFault[]): GraphQLError {
  return failed('BAD_USER_INPUT', errors.map(({ message }) => message).join(' '), { errors })
}

/** An argument is the id of a person who does not exist. */
export function notFound(argument: string, message: string): GraphQLError {
  return failed('NOT_FOUND', message, { errors: [{ path: [argument], message }] })
}

/** Another write came first; `version` is the current one of the person, if it still exists. */
export function conflict(version: number | undefined): GraphQLError {
  if (version === undefined) return failed('CONFLICT', 'The person has just been deleted.', {})
  const message = `The person is at version ${version}, not at the expected version.`
  return failed('CONFLICT', message, { version })
}

/** Converts a fault to the error that clients see; the engine masks all others. */
export function toShown(fault: unknown): unknown {
  if (!(fault instanceof StoreUnavailable)) return fault
  const { message, retryAfter } = outages[fault.reason]
  return failed('UNAVAILABLE', message, { retryAfter })
}

/** By kind: failures that only an operator can fix have a longer wait. */
const outages: {
  readonly [reason in Unavailability]: { readonly message: string; readonly retryAfter: number }
} = {
  away: { message: 'The database is unavailable. Try again in a moment.', retryAfter: 1 },
  busy: { message: 'The database is busy. Try again in a moment.', retryAfter: 1 },
  full: { message: 'The disk of the database is full: reads work, writes do not.', retryAfter: 60 },
  'read-only': { message: 'The database is read-only: reads work, writes do not.', retryAfter: 60 },
}

/** The principal may not do this. The code is that of a whole request, such as RATE_LIMITED for `rate-limited`. */
export function denied(denial: Denial): GraphQLError {
  const { kind, message = 'Forbidden.' } = denial
  const more = 'retryAfter' in denial ? { retryAfter: denial.retryAfter } : {}
  return failed(kind.toUpperCase().replace('-', '_'), message, more)
}

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
