/** A promise and what settles it. */
export function defer<Value = void>() {
  let resolve: (value: Value) => void = () => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<Value>((done, failed) => {
    resolve = done
    reject = failed
  })
  return { promise, resolve, reject }
}
