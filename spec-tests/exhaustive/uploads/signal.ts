interface Signal<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
}

/** A promise and what resolves it. */
export function signal<Value = void>(): Signal<Value> {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => (resolve = settle))
  return { promise, resolve }
}
