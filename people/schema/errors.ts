import { GraphQLError } from 'graphql'
import type { Denial } from 'graphwire'
import { StoreUnavailable, type Unavailability } from '../store/store.js'

/** One invalid value: its path in the arguments, and the reason. */
export interface ArgumentFault {
  readonly path: readonly string[]
  readonly message: string
}

/** All invalid values of a call as one error. */
export function badInput(faults: readonly ArgumentFault[]): GraphQLError {
  const message = faults.map((fault) => fault.message).join(' ')
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', errors: faults } })
}

/** An argument is the id of a person who does not exist. */
export function notFound(argument: string, message: string): GraphQLError {
  const errors = [{ path: [argument], message }]
  return new GraphQLError(message, { extensions: { code: 'NOT_FOUND', errors } })
}

/** Another write came first; `version` is the current one of the person, if it still exists. */
export function conflict(version: number | undefined): GraphQLError {
  const message =
    version === undefined
      ? 'The person has just been deleted.'
      : `The person is at version ${version}, not at the expected version.`
  return new GraphQLError(message, {
    extensions: { code: 'CONFLICT', ...(version !== undefined && { version }) },
  })
}

/** Converts a fault to the error that clients see; the engine masks all others. */
export function toShown(fault: unknown): unknown {
  return fault instanceof StoreUnavailable ? unavailable(fault.reason) : fault
}

/** The database cannot do this now. */
function unavailable(reason: Unavailability): GraphQLError {
  const { message, retryAfter } = outages[reason]
  return new GraphQLError(message, { extensions: { code: 'UNAVAILABLE', retryAfter } })
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

/** The principal may not do this. */
export function denied(denial: Denial): GraphQLError {
  const code = codes[denial.kind]
  const retryAfter = 'retryAfter' in denial && { retryAfter: denial.retryAfter }
  return new GraphQLError(denial.message ?? 'Forbidden.', { extensions: { code, ...retryAfter } })
}

const codes: { readonly [kind in Denial['kind']]: string } = {
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  'rate-limited': 'RATE_LIMITED',
  unavailable: 'UNAVAILABLE',
  denied: 'FORBIDDEN',
}

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

/** All invalid values among arguments. */
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
