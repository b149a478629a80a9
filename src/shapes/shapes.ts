import { listOf, type Shape } from './shape.js'
import { showValue } from './show-value.js'
import { suggest } from './suggest.js'

/** The largest signed 32-bit integer. Node runs timers with a longer delay after 1 ms. */
export const maxInt32: number = 2 ** 31 - 1

export const anything: Shape = { expected: 'anything', fits: () => true }

export const aFunction: Shape = {
  expected: 'a function',
  fits: (value) => typeof value === 'function',
}

export const aBoolean: Shape = {
  expected: 'a boolean',
  fits: (value) => typeof value === 'boolean',
}

export const aString: Shape = {
  expected: 'a string',
  fits: (value) => typeof value === 'string',
}

/** Not a single string, in which `includes` would match substrings. */
export const names: Shape = listOf('a list of names', aString)

/** Names of header fields (RFC 9110 section 5.1). */
export const headerNames: Shape = listOf('a list of header names', {
  expected: 'a header name such as "x-mine"',
  fits: (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
})

/** A path to serve, such as that of the endpoint or of a probe. Clients resolve `..` and escape what is not ASCII. */
export const absolutePath: Shape = {
  expected: 'an absolute path as clients send it, without a query, such as "/graphql"',
  fits: (value) =>
    typeof value === 'string' && /^\/[!-~]*$/.test(value) && !/[?#]|\/\.{1,2}(?:\/|$)/.test(value),
}

export const aFiniteNumber: Shape = {
  expected: 'a finite number',
  fits: Number.isFinite,
}

export function numberFrom(least: number, most: number): Shape {
  return {
    expected: `a number from ${least} to ${most}`,
    fits: (value) => typeof value === 'number' && value >= least && value <= most,
  }
}

/** An integer within bounds; `Infinity` is accepted if it is the upper bound. */
export function wholeNumberFrom(least: number, most: number = Number.MAX_SAFE_INTEGER): Shape {
  return {
    expected: `${describeWholeNumber(least, most)}${most === Infinity ? ', or Infinity' : ''}`,
    fits: (value) =>
      (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) ||
      (value === Infinity && most === Infinity),
  }
}

/** Describes the valid integers, for options and flags; an upper bound too large to matter is left out. */
export function describeWholeNumber(least: number, most: number): string {
  return most < Number.MAX_SAFE_INTEGER
    ? `a whole number from ${least} to ${most}`
    : `a whole number of at least ${least}`
}

export function oneOf(values: readonly (string | number)[]): Shape {
  const words = values.filter((value) => typeof value === 'string')
  return {
    expected: `one of ${values.map(showValue).join(', ')}`,
    fits: (value) => values.includes(value as string | number),
    hint: (value) => (typeof value === 'string' ? suggest(value, words, showValue) : ''),
  }
}

/** Whether it is an object that has these methods. */
export function hasMethods(value: unknown, ...methods: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  const members = value as { readonly [name: string]: unknown }
  return methods.every((name) => typeof members[name] === 'function')
}

/** Checks an argument that must be a function. */
export function checkFunction(caller: string, expected: string, value: unknown): void {
  if (typeof value === 'function') return
  throw new TypeError(`${caller}: expected ${expected}, got ${showValue(value)}.`)
}
