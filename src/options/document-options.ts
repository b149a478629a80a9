import type { RequestHead } from '../http/message.js'
import { documentsShape, type DocumentSource } from '../persisted/manifest.js'
import { createMemoryStore, type WritableDocumentStore } from '../persisted/memory-store.js'
import {
  loadDocuments,
  openStore,
  type InvalidDocument,
  type StoredDocuments,
} from '../persisted/stored-documents.js'
import { amount, resolveNumbers, shapesOf, type NumbersOf } from '../shapes/number-row.js'
import { objectOf, type Shape, type Shapes } from '../shapes/shape.js'
import { aBoolean, aFunction, hasMethods } from '../shapes/shapes.js'

/** The options of stored documents. */
export interface DocumentOptions<Raw = unknown> {
  /** Documents that clients can name by `documentId` instead of sending them: by id, a manifest, or a store. Default: none. */
  readonly documents?: DocumentSource | undefined
  /** Whether only these documents are executed: always, or for the requests for which a function returns true. Default: false. */
  readonly trustedOnly?:
    | boolean
    | ((head: RequestHead<Raw>) => boolean | PromiseLike<boolean>)
    | undefined
  /** Whether `<path>/<id>` and `<path>/<id>/<operationName>` name stored documents as well; requires `path`. Default: false. */
  readonly documentPath?: boolean | undefined
  /** Automatic persisted queries: clients may add documents to a store; not together with `trustedOnly`. Default: off. */
  readonly apq?: ApqOptions | undefined
  /** Called at the start with each document of a manifest that cannot be served. Default: throws a TypeError. */
  onInvalidDocument?(invalid: InvalidDocument): void
}

/** Where the documents of automatic persisted queries are kept. */
export interface ApqOptions extends NumbersOf<typeof apqRows> {
  /** A store that several processes share, instead of the one in memory. Default: in memory. */
  readonly store?: WritableDocumentStore | undefined
}

const MiB = 1024 * 1024

export const apqRows = {
  /** How much the store in memory holds, in bytes. The documents that were used last are kept. Default: 4 MiB. */
  // Beyond it: the client sends its document again. Reason: any client can add documents.
  maxBytes: amount(4 * MiB, {
    unit: 'bytes',
  }),
}

const aStore: Shape = {
  expected: 'a store with get(id) and set(id, text)',
  fits: (value) => hasMethods(value, 'get', 'set'),
}

const apqShape: Shape = objectOf<ApqOptions>(
  '{ maxBytes: 4194304 }, or {}',
  { ...shapesOf(apqRows), store: aStore },
  {
    findConflict: ({ store, maxBytes }) =>
      store === undefined || maxBytes === undefined
        ? undefined
        : 'apq: expected store or maxBytes, not both: maxBytes is about the store in memory.',
  },
)

export const documentShapes: Shapes<DocumentOptions> = {
  documents: documentsShape,
  trustedOnly: {
    expected: 'a boolean or a function',
    fits: (value) => typeof value === 'boolean' || typeof value === 'function',
  },
  documentPath: aBoolean,
  apq: apqShape,
  onInvalidDocument: aFunction,
}

export interface DocumentOptionSettings {
  readonly documents: StoredDocuments | undefined
  /** Whether a request may bring no document of its own; undefined if every request may. */
  readonly trustedOnly: ((head: RequestHead) => boolean | PromiseLike<boolean>) | undefined
  readonly documentPath: boolean
  readonly apq: Apq | undefined
  /** The texts of a manifest, whose documents are never evicted. */
  readonly pinned: ReadonlySet<string> | undefined
  readonly onInvalidDocument: (invalid: InvalidDocument) => void
}

/** The store of automatic persisted queries. */
interface Apq {
  readonly documents: StoredDocuments
  readonly store: WritableDocumentStore
}

/** Fills in the defaults; throws for options that contradict each other, and for documents that cannot be served. */
export function resolveDocuments(caller: string, options: DocumentOptions): DocumentOptionSettings {
  const { documents: source, trustedOnly = false, documentPath = false, apq } = options
  const conflict = findConflict(options)
  if (conflict !== undefined) throw new TypeError(`${caller}: ${conflict}`)
  const onInvalidDocument =
    options.onInvalidDocument?.bind(options) ?? ((invalid) => refuse(caller, invalid))
  const documents = source === undefined ? undefined : loadDocuments(source, onInvalidDocument)
  return {
    documents,
    trustedOnly: typeof trustedOnly === 'function' ? trustedOnly : always(trustedOnly),
    documentPath,
    apq: apq === undefined ? undefined : openApq(apq),
    pinned: documents?.texts === undefined ? undefined : new Set(documents.texts.values()),
    onInvalidDocument,
  }
}

function findConflict({
  documents,
  trustedOnly = false,
  documentPath = false,
  apq,
}: DocumentOptions): string | undefined {
  if (trustedOnly !== false && apq !== undefined) {
    return 'expected trustedOnly or apq, not both: with apq, clients add the documents.'
  }
  if (trustedOnly !== false && documents === undefined) {
    return 'trustedOnly requires documents: without them it would refuse every request.'
  }
  return documentPath && documents === undefined ? 'documentPath requires documents.' : undefined
}

function always(trustedOnly: boolean): DocumentOptionSettings['trustedOnly'] {
  return trustedOnly ? () => true : undefined
}

function openApq({ store, ...numbers }: ApqOptions): Apq {
  const { maxBytes } = resolveNumbers(apqRows, numbers)
  const opened = store ?? createMemoryStore(maxBytes)
  return { documents: openStore(opened), store: opened }
}

function refuse(caller: string, { id, message }: InvalidDocument): never {
  throw new TypeError(`${caller}: documents: the document ${JSON.stringify(id)}: ${message}`)
}
