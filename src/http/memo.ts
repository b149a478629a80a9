/**
 * Remembers what a pure function of a header value gave. Bounded in entries and in the length of
 * what it keeps; clients send few different values, so a full memo just starts again.
 */
export function memo<Value>(
  compute: (text: string | undefined) => Value,
  maxEntries = 128,
  maxLength = 256,
): (text: string | undefined) => Value {
  const known = new Map<string | undefined, Value>()
  let last: { readonly text: string | undefined; readonly value: Value } | undefined
  return (text) => {
    // Most requests say what the one before said; to compare costs a fifth of hashing a new string.
    if (last !== undefined && last.text === text) return last.value
    const found = known.get(text)
    const value = found ?? compute(text)
    if (text === undefined || text.length <= maxLength) {
      if (found === undefined) {
        if (known.size >= maxEntries) known.clear()
        known.set(text, value)
      }
      last = { text, value }
    }
    return value
  }
}
