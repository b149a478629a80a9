import { isPromise } from '../base/promise.js'
import { readBody, type Body } from '../http/message.js'

/** A body that knows whether a caller waits for it. */
export class WatchedBody implements Body {
  isArriving = false
  readonly #body: Body | undefined

  constructor(body: Body | undefined) {
    this.#body = body
  }

  read(maxBytes: number): ReturnType<Body['read']> {
    const read = readBody({ body: this.#body }, maxBytes)
    if (!isPromise(read)) return read
    this.isArriving = true
    return Promise.resolve(read).finally(() => (this.isArriving = false))
  }

  chunks(): ReturnType<NonNullable<Body['chunks']>> {
    return this.#body?.chunks?.()
  }

  get hold(): Body['hold'] {
    return this.#body?.hold
  }
}
