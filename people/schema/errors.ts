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
