// What streams keep in memory: each of its request, and the results that they share.
import { isFrozenData } from '../base/frozen-data.js'
import type { Operation } from '../graphql/execute/operation.js'
import { toStreamParams } from '../graphql/execute/params.js'

/** What is estimated: measured on Node 20 with graphql 16 and 17. */
const bytesPerValue = 64
const bytesPerCharacterOfDocument = 100

/** What an open stream keeps of its request. */
export interface Kept {
  /** Shared by all streams of one document. */
  readonly document: object
  readonly documentBytes: number
  readonly paramBytes: number
}

/** Estimates what a stream of the operation keeps in memory. */
export function keptBy({ document, definition, params }: Operation): Kept {
  // Resolvers of deferred fields may still read all of them.
  const { variables, extensions } =
    definition.operation === 'subscription' ? toStreamParams(params, definition) : params
  return {
    document,
    documentBytes: params.query.length * bytesPerCharacterOfDocument,
    paramBytes: bytesOf(params.query) + bytesOf(variables) + bytesOf(extensions),
  }
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return bytesPerValue + 2 * value.length
  if (typeof value !== 'object' || value === null) return bytesPerValue
  let sum = bytesPerValue
  for (const [name, inner] of Object.entries(value)) sum += 2 * name.length + bytesOf(inner)
  return sum
}

/** The sum over open streams. */
export class StreamBytes {
  #sum = 0
  readonly #documents = new Map<object, number>()

  sumWith({ document, documentBytes, paramBytes }: Kept): number {
    return this.#sum + paramBytes + (this.#documents.has(document) ? 0 : documentBytes)
  }

  add(kept: Kept): void {
    const { document } = kept
    this.#sum = this.sumWith(kept)
    this.#documents.set(document, (this.#documents.get(document) ?? 0) + 1)
  }

  remove({ document, documentBytes, paramBytes }: Kept): void {
    const users = (this.#documents.get(document) ?? 0) - 1
    this.#sum -= paramBytes + (users === 0 ? documentBytes : 0)
    if (users === 0) this.#documents.delete(document)
    else this.#documents.set(document, users)
  }
}

/** How many different operations share results of one event. */
const maxKeys = 100

/** The results of events that nobody can change: subscribers with equal keys share them. */
export class SharedResults {
  readonly #results = new WeakMap<object, Map<string, string>>()
  /** The events that were found not to be frozen data: what one subscriber makes of them is not for others. */
  readonly #changeable = new WeakSet<object>()

  /** The result that another stream of the same key has got for this event. */
  find(event: unknown, key: string): string | undefined {
    return this.#of(event)?.get(key)
  }

  keep(event: unknown, key: string, result: string): void {
    const results = this.#of(event)
    if (results !== undefined && results.size < maxKeys) results.set(key, result)
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
