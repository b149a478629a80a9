/** Recognises a promise of any realm; values that are not promises stay in the same tick. */
export function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

/** Goes on with a value at once, or with the value of a promise later. */
export function andThen<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  // A thenable of somebody else's may give anything from its `then`.
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value)
}
