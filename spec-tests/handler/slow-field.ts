/** A resolver that takes some milliseconds, and how many of its calls began in one turn of the event loop at most. */
export function slowField(ms: number) {
  const calls = { all: 0, inTurn: 0, most: 0 }
  const resolve = (): string => {
    if (calls.inTurn === 0) setImmediate(() => (calls.inTurn = 0))
    calls.all += 1
    calls.inTurn += 1
    calls.most = Math.max(calls.most, calls.inTurn)
    const end = performance.now() + ms
    while (performance.now() < end);
    return 'x'
  }
  return { calls, resolve }
}
