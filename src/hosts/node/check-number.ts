/** What a timer can hold: Node takes anything longer for 1 ms. */
export const longestTimer: number = 2 ** 31 - 1

/** Gives the number where it is a whole one within its bounds: a mistake is told at once. */
export function checkNumber(
  name: string,
  value: number,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new TypeError(
    `${name}: expected a number from ${least} to ${most}, without a fraction, got ${String(value)}.`,
  )
}
