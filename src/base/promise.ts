import { inNextTurn } from './next-turn.js'

/** Accepts any thenable, such as a promise of another realm. */
export function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

/** Whether graphql-js waits for a value: an object or a function with `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  )
}

/** Calls a function whose result nothing waits for. `failed` gets what it throws, or what its promise rejects with. */
export function callApart(call: () => unknown, failed: (reason: unknown) => void): void {
  try {
    const returned = call()
    if (isPromise(returned)) Promise.resolve(returned).then(undefined, failed)
  } catch (reason) {
    failed(reason)
  }
}

/** Calls `next` with the value: synchronously, unless the value is a promise. */
export function andThen<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  // `then` of a foreign thenable may return anything.
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value)
}

/** The value that `begin` passes to `done`: the value itself if that happens synchronously, otherwise a promise. */
export function toPromise<Value extends object>(
  begin: (done: (value: Value) => void, failed: (bug: unknown) => void) => void,
): Value | Promise<Value> {
  let outcome: Value | Promise<Value> | undefined
  let resolve = (value: Value | Promise<Value>): void => void (outcome = value)
  begin(
    (value) => resolve(value),
    (bug) => resolve(Promise.reject(bug)),
  )
  return outcome ?? new Promise((settle) => (resolve = settle))
}

/** What `inTime` rejects with. */
export class LateError extends Error {}

/** Rejects if there is no answer within `limit` milliseconds; a later answer is ignored. */
export function inTime<Value>(answer: Promise<Value>, limit: number, who: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = new LateError(`${who} did not answer within ${limit} ms.`)
    const timer = setTimeout(reject, limit, late)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Settles with the work, or when its time is up. Never rejects, and does not keep the process alive. */
export function untilSettled(work: PromiseLike<unknown>, limit: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limit)
    ;(timer as { unref?: () => void }).unref?.()
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    work.then(done, done)
  })
}

/** Returns a source without waiting for it. Its failures have no reader. Undefined if it settled at once. */
export function returnSource(source: AsyncIterator<unknown>): Promise<unknown> | undefined {
  try {
    const returned: unknown = source.return?.()
    if (!isPromise(returned)) return undefined
    return Promise.resolve(returned).catch(() => undefined)
  } catch {
    return undefined
  }
}

/** How long work may go on before other work gets its turn, in milliseconds. */
const maxTurn = 20

/** Bounds the steps of long work in a turn of the event loop: without it, everything else would wait, even timers. */
export class Turn {
  readonly #startedAt = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#startedAt > maxTurn
  }
}

/** Waits for the next turn. */
export function nextTurn(): Promise<Turn> {
  return new Promise((resolve) => inNextTurn(() => resolve(new Turn())))
}
