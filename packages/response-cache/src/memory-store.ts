import { checkOptions, objectOf, wholeNumberFrom } from 'graphwire/base'
import type { Entry, Lookup, ResponseStore, StoredResponse } from './store.js'

export interface MemoryStoreOptions {
  /** How much memory responses may take, in bytes; beyond it, those that were used least recently go. Default: 64 MiB. */
  readonly maxBytes?: number | undefined
}

interface KeptResponse {
  readonly response: StoredResponse
  readonly tags: readonly string[]
  readonly bytes: number
  readonly until: number
}

/** What an entry takes beside its texts, and each of its tags; and a tag for all that have it. Measured on Node 20. */
const bytesPerEntry = 500
const bytesPerTag = 100
const bytesPerKnownTag = 250

/** How many invalidated tags are remembered for queries that are running. */
const maxInvalidated = 10_000

const shape = objectOf<MemoryStoreOptions>('{ maxBytes: 67108864 }', {
  maxBytes: wholeNumberFrom(1),
})

/** Stores responses in this process. */
export function memoryStore(options: MemoryStoreOptions = {}): ResponseStore {
  checkOptions('memoryStore', options, shape)
  return new MemoryStore(options.maxBytes ?? 64 * 1024 * 1024)
}

class MemoryStore implements ResponseStore {
  readonly #maxBytes: number
  /** The one that was used least recently is the first. */
  readonly #kept = new Map<string, KeptResponse>()
  readonly #keys = new Map<string, Set<string>>()
  /** When each tag was last invalidated; queries that began before `#oldest` are not stored. */
  readonly #invalidated = new Map<string, number>()
  #oldest = 0
  #epoch = 0
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  find(key: string): Lookup {
    const epoch = this.#epoch
    const kept = this.#kept.get(key)
    if (kept === undefined) return { response: undefined, epoch }
    this.#kept.delete(key)
    const now = Date.now()
    // One from the future: the clock was set back.
    if (kept.until <= now || kept.response.madeAt > now) {
      this.#forget(key, kept)
      return { response: undefined, epoch }
    }
    this.#kept.set(key, kept)
    return { response: kept.response, epoch }
  }

  save({ key, response, tags, epoch, lifetime }: Entry): void {
    if (epoch < this.#oldest || tags.some((tag) => (this.#invalidated.get(tag) ?? 0) > epoch))
      return
    const bytes = sizeOf(key, response, tags)
    if (bytes > this.#maxBytes) return
    this.#remove(key)
    this.#kept.set(key, { response, tags, bytes, until: Date.now() + lifetime })
    this.#bytes += bytes
    for (const tag of tags) {
      const keys = this.#keys.get(tag)
      if (keys === undefined) {
        this.#keys.set(tag, new Set([key]))
        this.#bytes += bytesPerKnownTag
      } else keys.add(key)
    }
    for (const first of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#remove(first)
    }
  }

  invalidate(tags: readonly string[]): void {
    this.#epoch += 1
    for (const tag of tags) {
      this.#invalidated.set(tag, this.#epoch)
      for (const key of this.#keys.get(tag) ?? []) this.#remove(key)
    }
    if (this.#invalidated.size <= maxInvalidated) return
    this.#invalidated.clear()
    this.#oldest = this.#epoch
  }

  #remove(key: string): void {
    const kept = this.#kept.get(key)
    if (kept === undefined) return
    this.#kept.delete(key)
    this.#forget(key, kept)
  }

  /** It is no longer among the kept ones. */
  #forget(key: string, { bytes, tags }: KeptResponse): void {
    this.#bytes -= bytes
    for (const tag of tags) {
      const keys = this.#keys.get(tag)
      keys?.delete(key)
      if (keys?.size === 0 && this.#keys.delete(tag)) this.#bytes -= bytesPerKnownTag
    }
  }
}

/** An estimate: a character takes one or two bytes. */
function sizeOf(key: string, { headers, body }: StoredResponse, tags: readonly string[]): number {
  const characters = [...headers, ...tags].reduce(
    (sum, text) => sum + text.length,
    key.length + body.length,
  )
  return bytesPerEntry + 2 * characters + bytesPerTag * tags.length
}
