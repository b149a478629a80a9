/** Accepts any thenable, such as a promise of another realm. */
export function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

/** Calls `next` with the value: synchronously, unless the value is a promise. */
export function andThen<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  // `then` of a foreign thenable may return anything.
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value)
}
