/** The number of an id; 0, which no person has, for text that cannot be an id. */
export function toNumber(id: string): number {
  const number = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : 0
  return Number.isSafeInteger(number) ? number : 0
}

/** Each number once, in order: two statements for the same rows then lock them in the same order. */
export function toNumbers(ids: readonly string[]): number[] {
  const numbers = ids.map(toNumber).filter((number) => number !== 0)
  return [...new Set(numbers)].toSorted((one, other) => one - other)
}
