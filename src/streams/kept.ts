// What streams keep in memory: their requests, and the results that they share.
import { isFrozenData } from '../base/frozen-data.js'
import { remember } from '../base/remember.js'
import type { Operation } from '../graphql/execute/operation.js'
import { toKeptParams } from '../graphql/execute/params.js'

/**
 * An estimate: on Node 20, a value takes a quarter of it at most, but graphql 16 also coerces variables again for each
 * event.
 */
const bytesPerValue = 256
const bytesPerCharacterOfDocument = 100

/**
 * What graphql-js and the resolvers keep of a result in parts until it is whole: up to 2 kB for each fragment with `@defer`, whose
 * cost is 10, and three times that while its resolvers wait.
 */
const bytesPerCost = 400

/** Without `maxCost`, the cost may be anything: by default, one of them still fits. */
const mostBytesOfParts = 16 * 1024 * 1024

/** What an open stream keeps of its request, and of its result. */
export interface Kept {
  /** Shared by all streams of one document. */
  readonly document: object
  readonly documentBytes: number
  readonly ownBytes: number
}

const estimates = new WeakMap<Operation, Kept>()

/** Estimates what a stream of the operation keeps in memory, once. */
export function keptBy(operation: Operation): Kept {
  return remember(estimates, operation, estimate)
}

function estimate({ document, definition, params, isIncremental, costs }: Operation): Kept {
  // Resolvers of deferred fields may still read all of them.
  const isSubscription = definition.operation === 'subscription'
  const { query, variables, extensions } = isSubscription
    ? toKeptParams(params, definition)
    : params
  const ofParts = isIncremental ? Math.min(costs.cost * bytesPerCost, mostBytesOfParts) : 0
  return {
    document,
    documentBytes: query.length * bytesPerCharacterOfDocument,
    ownBytes: bytesOf(query) + bytesOf(variables) + bytesOf(extensions) + ofParts,
  }
}

/** A value of JSON. A body of 1 MB has half a million, so nothing is made for each of them. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return bytesPerValue + 2 * value.length
  if (typeof value !== 'object' || value === null) return bytesPerValue
  let sum = bytesPerValue
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) sum += bytesOf(item)
    return sum
  }
  const members = value as { readonly [name: string]: unknown }
  for (const name of Object.keys(members)) sum += 2 * name.length + bytesOf(members[name])
  return sum
}

export interface StreamLimits {
  readonly maxStreams: number
  readonly maxStreamBytes: number
  /** What one client may hold of each, in percent, but at least one stream. */
  readonly clientShare: number
}

/** How many streams there are and what they keep, in all and per client. */
export class StreamShares {
  readonly #limits: StreamLimits
  readonly #all = new KeptSum()
  readonly #byClient = new Map<string | undefined, KeptSum>()

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /** A client without a known address has no share: only the total limits it. */
  hasRoomFor(kept: Kept, client: string | undefined): boolean {
    const { maxStreams, maxStreamBytes, clientShare } = this.#limits
    if (!this.#all.hasRoomFor(kept, maxStreams, maxStreamBytes)) return false
    if (client === undefined) return true
    const most = Math.max(1, Math.floor((maxStreams * clientShare) / 100))
    return this.#sumOf(client).hasRoomFor(kept, most, (maxStreamBytes / 100) * clientShare)
  }

  /** Counts until the returned function is called. */
  take(kept: Kept, client: string | undefined): () => void {
    this.#all.add(kept)
    const own = this.#sumOf(client)
    this.#byClient.set(client, own)
    own.add(kept)
    return () => {
      this.#all.remove(kept)
      own.remove(kept)
      if (own.count === 0) this.#byClient.delete(client)
    }
  }

  #sumOf(client: string | undefined): KeptSum {
    return this.#byClient.get(client) ?? new KeptSum()
  }
}

/** A sum over streams, in which each document counts once. */
class KeptSum {
  count = 0
  #sum = 0
  readonly #documents = new Map<object, number>()

  hasRoomFor(kept: Kept, most: number, mostBytes: number): boolean {
    return this.count < most && this.#with(kept) <= mostBytes
  }

  #with({ document, documentBytes, ownBytes }: Kept): number {
    return this.#sum + ownBytes + (this.#documents.has(document) ? 0 : documentBytes)
  }

  add(kept: Kept): void {
    const { document } = kept
    this.count += 1
    this.#sum = this.#with(kept)
    this.#documents.set(document, (this.#documents.get(document) ?? 0) + 1)
  }

  remove({ document, documentBytes, ownBytes }: Kept): void {
    const users = (this.#documents.get(document) ?? 0) - 1
    this.count -= 1
    this.#sum -= ownBytes + (users === 0 ? documentBytes : 0)
    if (users === 0) this.#documents.delete(document)
    else this.#documents.set(document, users)
  }
}

/** How to give back what streams take of the limits, by their sources: a resolver may return one source twice. */
export class Releases {
  /** How many ended streams have resolvers that still work. */
  working = 0
  readonly #bySource = new WeakMap<object, () => void>()

  add(source: object, release: () => void): void {
    const other = this.#bySource.get(source)
    if (other === undefined) return void this.#bySource.set(source, release)
    this.#bySource.set(source, () => {
      release()
      this.#bySource.set(source, other)
    })
  }

  /**
   * Gives back what one stream has taken, once its resolvers have ended: otherwise clients that leave at once could start any
   * number of them.
   */
  call(source: object, work?: Promise<void>): void {
    if (work !== undefined) {
      this.working += 1
      void work.then(() => {
        this.working -= 1
        this.call(source)
      })
      return
    }
    const release = this.#bySource.get(source)
    this.#bySource.delete(source)
    release?.()
  }
}

/** How many different operations share results of one event. */
const maxKeys = 100

/** Of all results together, in characters: events that wait for a slow reader keep theirs. */
const maxResults = 16 * 1024 * 1024

/** The results of immutable events, which subscribers with equal keys share. */
export class SharedResults {
  #results = new WeakMap<object, Map<string, string>>()
  #length = 0
  /** The events that are not frozen data, whose results cannot be shared. */
  readonly #changeable = new WeakSet<object>()

  /** The result that another stream with the same key has made of this event. */
  find(event: unknown, key: string): string | undefined {
    return this.#of(event)?.get(key)
  }

  keep(event: unknown, key: string, result: string): void {
    if (this.#length > maxResults) {
      this.#results = new WeakMap()
      this.#length = 0
    }
    const results = this.#of(event)
    if (results === undefined || results.size >= maxKeys) return
    results.set(key, result)
    this.#length += result.length
  }

  #of(event: unknown): Map<string, string> | undefined {
    if (typeof event !== 'object' || event === null) return undefined
    const known = this.#results.get(event)
    if (known !== undefined || this.#changeable.has(event)) return known
    if (!isFrozenData(event)) {
      this.#changeable.add(event)
      return undefined
    }
    const results = new Map<string, string>()
    this.#results.set(event, results)
    return results
  }
}
