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
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = compute(text)
    if (text === undefined || text.length <= maxLength) {
      if (known.size >= maxEntries) known.clear()
      known.set(text, value)
    }
    return value
  }
}
