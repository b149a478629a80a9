/** The number of an id; undefined for text that cannot be an id. */
export function toNumber(id: string): number | undefined {
  if (!/^[1-9]\d{0,15}$/.test(id)) return undefined
  const number = Number(id)
  return Number.isSafeInteger(number) ? number : undefined
}

/** Each number once, in order: two statements for the same rows then lock them in the same order. */
export function toNumbers(ids: readonly string[]): number[] {
  const numbers = ids.map(toNumber).filter((number) => number !== undefined)
  return [...new Set(numbers)].toSorted((one, other) => one - other)
}
