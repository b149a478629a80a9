import { DocumentCache } from '../graphql/document/document-cache.js'
import type { DocumentStore } from './manifest.js'

/** A store that clients can add documents to. */
export interface WritableDocumentStore extends DocumentStore {
  /** Stores a text under `sha256:` and its hash. Not awaited; a failure is a bug of the store. */
  set(id: string, text: string): unknown
}

/** Keeps documents in memory, those that were used last. */
export function createMemoryStore(maxBytes: number): WritableDocumentStore {
  const texts = new DocumentCache<string>(Infinity, maxBytes, sizeOf)
  return { get: (id) => texts.get(id), set: (id, text) => texts.set(id, text) }
}

/** What an entry takes besides its two texts, whose characters may have two bytes. */
const entryBytes = 100

function sizeOf(id: string, text: string): number {
  return (id.length + text.length) * 2 + entryBytes
}
