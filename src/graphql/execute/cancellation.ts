import { withCheapListeners } from '../../base/abort-listeners.js'

type Listener = () => void

/**
 * The signal of one request: a flag and listeners, with the part of the AbortSignal interface that
 * graphql-js uses. A real AbortSignal for every request would take a third to a half of the time of a small
 * request, so one is made only if user code reads `signal`.
 */
export class Cancellation {
  aborted = false
  reason: unknown = undefined
  #listeners: Listener[] | undefined
  #controller: AbortController | undefined

  /** Fires once; listeners run in the order they were added. */
  cancel(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const listeners = this.#listeners ?? []
    this.#listeners = undefined
    for (const listener of listeners) listener()
    this.#controller?.abort(reason)
  }

  /** A real AbortSignal, for `fetch` and other APIs. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      withCheapListeners(this.#controller.signal)
      if (this.aborted) this.#controller.abort(this.reason)
    }
    return this.#controller.signal
  }

  addEventListener(_type: 'abort', listener: Listener): void {
    ;(this.#listeners ??= []).push(listener)
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    const at = this.#listeners?.indexOf(listener) ?? -1
    if (at >= 0) this.#listeners?.splice(at, 1)
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }
}
