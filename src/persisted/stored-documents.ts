import { andThen } from '../base/promise.js'
import { DocumentCache } from '../graphql/document/document-cache.js'
import { showValue } from '../shapes/show-value.js'
import { hashOf, hasHash, idOfHash, isHash, maxIdLength } from './document-id.js'
import { readManifest, type DocumentSource, type DocumentStore } from './manifest.js'

/** The text of a document, or undefined if there is none with this name. */
type StoredText = string | undefined | Promise<string | undefined>

/** The documents that clients can name. A store that answers at once makes no promise. */
export interface StoredDocuments {
  /** All of them, if they are known at the start. */
  readonly texts: ReadonlyMap<string, string> | undefined
  find(this: void, id: string): StoredText
  /** Finds a document by the hash of Apollo's protocol, which is an id without its prefix. */
  findHash(this: void, hash: string): StoredText
}

/** A stored document that cannot be served. */
export interface InvalidDocument {
  readonly id: string
  /** The source text. */
  readonly document: string
  /** What is wrong with it. */
  readonly message: string
}

/** Prepares the documents of an option. Those of a manifest whose id is wrong are left out and reported. */
export function loadDocuments(
  source: DocumentSource,
  report: (invalid: InvalidDocument) => void,
): StoredDocuments {
  const manifest = readManifest(source)
  if (manifest === undefined) return openStore(source as DocumentStore)
  const texts = new Map<string, string>()
  for (const [id, document] of manifest) {
    const message = findIdFault(id, document)
    if (message === undefined) texts.set(id, document)
    else report({ id, document, message })
    // A bare hash is also the identifier that the draft gives to this text.
    if (isHash(id) && hasHash(document, id)) texts.set(idOfHash(id), document)
  }
  return {
    texts,
    find: (id) => texts.get(id),
    // Apollo's clients send the ids of their manifest as hashes, whatever they are.
    findHash: (hash) => texts.get(idOfHash(hash)) ?? texts.get(hash),
  }
}

/** Says what is wrong with an id; undefined if nothing is. */
export function findIdFault(id: string, document: string): string | undefined {
  if (id === '') return 'The id must not be empty.'
  if (id.length > maxIdLength) return `The id must have at most ${maxIdLength} characters.`
  const hash = hashOf(id)
  if (hash === undefined) return undefined
  if (!isHash(hash)) {
    return 'After "sha256:", an id has 64 hexadecimal digits in lower case.'
  }
  return hasHash(document, hash)
    ? undefined
    : 'The id is not the SHA-256 of the text: was the text changed, such as by a formatter?'
}

/** Looks documents up in a store. What it has for a hash must have that hash. */
export function openStore(store: DocumentStore): StoredDocuments {
  const hashes = new DocumentCache<string>(maxHashes, maxHashedBytes, (text) => text.length * 2)
  const find = (id: string): StoredText => {
    if (id === '' || id.length > maxIdLength) return undefined
    const hash = hashOf(id)
    if (hash !== undefined && !isHash(hash)) return undefined
    return andThen(store.get(id), (text: unknown) => {
      if (text === undefined || text === null) return undefined
      if (typeof text !== 'string') {
        throw new TypeError(`The store of documents: expected a text, got ${showValue(text)}.`)
      }
      if (hash !== undefined && hashes.get(text) !== hash) {
        if (!hasHash(text, hash)) {
          throw new Error(`The store of documents has a text under ${id} that has another hash.`)
        }
        hashes.set(text, hash)
      }
      return text
    })
  }
  return { texts: undefined, find, findHash: (hash) => find(idOfHash(hash)) }
}

const maxHashes = 1000
const maxHashedBytes = 8 * 1024 * 1024
