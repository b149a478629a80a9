import { refuseFaults, type InputFault } from './bad-input.js'

/** How many persons a list has at most, as its argument `limit` says it. */
export function readLimit(limit: number | null | undefined): number {
  refuseFaults(checkRange('limit', limit, 100))
  return limit ?? 10
}

/** Checks the age of a person in years. */
export function checkAge(age: number | null | undefined): readonly InputFault[] {
  return checkRange('age', age, 150)
}

function checkRange(
  name: string,
  value: number | null | undefined,
  most: number,
): readonly InputFault[] {
  if (value == null || (value >= 0 && value <= most)) return []
  return [{ path: [name], message: `${name} must be 0 to ${most}, not ${value}.` }]
}
