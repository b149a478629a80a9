import { longTurns } from '../base/long-turns.js'

/**
 * Memoizes a pure function of a header value. Bounded in entries and in the length of keys; clients send
 * few different values, so a full memo is simply cleared.
 */
export function memo<Value>(
  compute: (text: string | undefined) => Value,
  maxEntries = 128,
  maxLength = 256,
): (text: string | undefined) => Value {
  const values = new Map<string | undefined, Value>()
  let last: { readonly text: string | undefined; readonly value: Value } | undefined
  return (text) => {
    // Most requests repeat the header of the previous one; comparing costs a fifth of hashing a new string.
    if (last !== undefined && last.text === text) return last.value
    const cached = values.get(text)
    const isNew = cached === undefined && !values.has(text)
    const value = isNew ? compute(text) : (cached as Value)
    if (text === undefined || text.length <= maxLength) {
      if (isNew) {
        if (values.size >= maxEntries) values.clear()
        values.set(text, value)
      }
      last = { text, value }
    } else longTurns.note(0)
    return value
  }
}
