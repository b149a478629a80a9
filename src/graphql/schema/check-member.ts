import { suggest } from '../../shapes/suggest.js'
import { SchemaError } from './check-schema.js'

/** The members of a type in `Resolvers`, not yet checked. */
export type GivenMembers = { readonly [name: string]: unknown }

/** Throws unless the name is one of the valid ones. */
export function checkName(message: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return
  const few = names.length > 0 && names.length <= 8 ? ` Expected ${names.join(', ')}.` : ''
  throw new SchemaError(`${message}${suggest(name, names) || few}`)
}

export function checkFunction(
  place: string,
  member: unknown,
): (this: unknown, ...args: unknown[]) => unknown {
  if (typeof member === 'function') return member as (...args: unknown[]) => unknown
  throw new SchemaError(`${place}: expected a function, got ${nameOf(member)}.`)
}

/** The kind of a value, in one word. */
export function nameOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}
