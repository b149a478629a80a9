import type { HeaderList, MaybePromise } from 'graphwire'

/** A response as it is stored. */
export interface StoredResponse {
  readonly headers: HeaderList
  readonly body: string
  /** When it was made, and until when it is fresh: milliseconds since 1970. */
  readonly madeAt: number
  readonly freshUntil: number
}

/** The result of a lookup by key. */
export interface Lookup {
  readonly response: StoredResponse | undefined
  /** A number that grows with each invalidation. */
  readonly epoch: number
}

/** A response, and what is needed to store it. */
export interface Entry {
  readonly key: string
  readonly response: StoredResponse
  /** The objects and types in it. */
  readonly tags: readonly string[]
  /** The epoch before it was executed: what was invalidated since then must not be found. */
  readonly epoch: number
  /** For how many milliseconds it is kept. */
  readonly lifetime: number
}

/** Where responses are stored. */
export interface ResponseStore {
  find(key: string): MaybePromise<Lookup>
  save(entry: Entry): MaybePromise<void>
  /** No response that has one of the tags is found any more. */
  invalidate(tags: readonly string[]): MaybePromise<void>
}
