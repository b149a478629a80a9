import type { DocumentCache } from './document-cache.js'

/** A cache that keeps certain entries for good, so that the documents of strangers cannot evict them. */
export class PinnedDocuments<Entry> {
  readonly #pinned: ReadonlySet<string>
  readonly #kept = new Map<string, Entry>()
  readonly #others: DocumentCache<Entry>

  constructor(pinned: ReadonlySet<string>, others: DocumentCache<Entry>) {
    this.#pinned = pinned
    this.#others = others
  }

  get(source: string): Entry | undefined {
    return this.#kept.get(source) ?? this.#others.get(source)
  }

  set(source: string, entry: Entry): void {
    if (this.#pinned.has(source)) this.#kept.set(source, entry)
    else this.#others.set(source, entry)
  }
}
