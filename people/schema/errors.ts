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
