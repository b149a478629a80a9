/** Larger events are delivered as they are: looking at each value must stay cheap. */
const maxValues = 10_000
const maxDepth = 100

/**
 * Whether the value cannot change: it consists of primitives, and of frozen arrays and plain objects without getters or
 * functions.
 */
export function isFrozenData(value: unknown): boolean {
  return eachObject(value, (object) => Object.isFrozen(object))
}

/** Freezes arrays and plain objects deeply. Returns false, and freezes nothing, if the value contains anything else. */
export function freezeData(value: unknown): boolean {
  // The first pass only looks, so that no value is frozen in part.
  return (
    eachObject(value, () => true) && eachObject(value, (object) => Object.freeze(object) === object)
  )
}

/** A frozen copy of plain data; other values are returned as they are. */
export function toFrozenCopy(value: unknown): unknown {
  return isFrozenData(value) || !eachObject(value, () => true) ? value : copy(value)
}

/** `structuredClone` throws for proxies, such as those of reactive state. */
function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(copy))
  const entries = Object.entries(value).map(([name, inner]) => [name, copy(inner)] as const)
  return Object.freeze(Object.fromEntries(entries))
}

/** Calls `accepts` with each array and plain object of a value. False if one is refused, or something else is found. */
function eachObject(value: unknown, accepts: (object: object) => boolean): boolean {
  let left = maxValues
  return visit(value, 0)

  function visit(one: unknown, depth: number): boolean {
    left -= 1
    if (left < 0 || depth > maxDepth) return false
    if (typeof one === 'function' || typeof one === 'symbol') return false
    if (typeof one !== 'object' || one === null) return true
    if (!isPlain(one) || !accepts(one)) return false
    const properties = Object.values(Object.getOwnPropertyDescriptors(one))
    // The descriptor of a getter has no `value`.
    return properties.every(
      (property: PropertyDescriptor) => 'value' in property && visit(property.value, depth + 1),
    )
  }
}

function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (Object.getOwnPropertySymbols(object).length > 0) return false
  return Array.isArray(object)
    ? prototype === Array.prototype
    : prototype === Object.prototype || prototype === null
}
