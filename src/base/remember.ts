interface Memory<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** What a map has for a key. It is made when it is asked for first. */
export function remember<Key, Value>(
  memory: Memory<Key, Value>,
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = memory.get(key)
  if (known !== undefined) return known
  const made = make(key)
  memory.set(key, made)
  return made
}
