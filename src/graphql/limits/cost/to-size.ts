import type { ValueNode } from 'graphql'

/** The list size that a value requests; undefined if it is not a size, such as -1 for "all". */
export function toSize(value: unknown): number | undefined {
  const size = typeof value === 'string' ? numberIn(value) : value
  const isNumber = typeof size === 'number' || typeof size === 'bigint'
  if (!isNumber || !(size >= 0)) return undefined
  // Resolvers that count up to half an item return one.
  return Math.ceil(Math.min(Number(size), Number.MAX_SAFE_INTEGER))
}

/** The list size that a literal requests. */
export function toLiteralSize(value: ValueNode | undefined): number | undefined {
  return value !== undefined && 'value' in value ? toSize(value.value) : undefined
}

/** Scalars parse text differently: to `parseInt`, 99999e-5 is 99,999. */
function numberIn(text: string): number {
  const whole = Number.parseInt(text, 10)
  const number = text.trim() === '' ? NaN : Number(text)
  if (Number.isNaN(number)) return whole
  return number < 0 || Number.isNaN(whole) ? number : Math.max(number, whole)
}
