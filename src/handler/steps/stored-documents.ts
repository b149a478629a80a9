import type { GraphQLSchema } from 'graphql'
import { andThen, inTime, isPromise } from '../../base/promise.js'
import { sha256 } from '../../base/sha256.js'
import type { Engine } from '../../graphql/engine.js'
import type { GraphQLParams } from '../../graphql/execute/params.js'
import { messageChannel } from '../../graphql/js/tracing.js'
import type { LimitReport } from '../../graphql/limits/limits.js'
import { reportBug } from '../../options/report.js'
import type { RequestInfo } from '../../options/request-info.js'
import type { Settings } from '../../options/settings.js'
import type { DocumentRefusal, Refusal } from '../../over-http/refusals.js'
import type { DocumentName, NamingParams } from '../../over-http/request/read-params.js'
import { hasHash, idOfHash } from '../../persisted/document-id.js'
import { checkReturned, required } from '../../shapes/shape.js'
import { aBoolean } from '../../shapes/shapes.js'
import type { Facts } from '../road/facts.js'
import { stop, wait, type Road } from '../road/road.js'

/** Parameters whose document is known. */
export interface FoundDocument {
  readonly params: GraphQLParams
  /** Whether the document came with its hash, and is not stored yet. */
  readonly isNew: boolean
}

type FoundText = string | undefined | Promise<string | undefined>

/** Finds the document that a request names, or decides whether it may bring its own. */
export function* findDocument(
  { params, name }: NamingParams,
  settings: Settings,
  facts: Facts,
): Road<FoundDocument, Refusal> {
  facts.at = 'document'
  if (name === undefined) {
    yield* checkTrust({ kind: 'document-id-required' }, params, settings, facts)
    return { params, isNew: false }
  }
  const text = yield* wait(find(name, settings, facts))
  const { query } = params
  if (text !== undefined) {
    const limit = settings.maxDocumentLength
    const found = text.length
    if (found > limit) return yield* stop({ kind: 'document-too-long', limit, found })
    if (query !== '' && query !== text) return yield* stop({ kind: 'document-mismatch' })
    facts.params = { ...params, query: text }
    return { params: facts.params, isNew: false }
  }
  if (name.kind === 'id') return yield* stop({ kind: 'document-not-found', id: name.id })
  if (query === '') return yield* stop({ kind: 'persisted-query-not-found' })
  if (!hasHash(query, name.hash)) return yield* stop({ kind: 'document-mismatch' })
  yield* checkTrust({ kind: 'persisted-query-not-found' }, params, settings, facts)
  return { params, isNew: true }
}

/** A document that all clients share comes before one that a client has added. */
function find(name: DocumentName, settings: Settings, facts: Facts): FoundText {
  const { documents } = settings
  if (name.kind === 'id') return documents?.find(name.id)
  return andThen(
    documents?.findHash(name.hash),
    (text) => text ?? findAdded(name.hash, settings, facts),
  )
}

/** How long the store of what clients have added may take to answer. */
const storeTimeout = 500

/** Without that store, they send their documents again. */
function findAdded(hash: string, settings: Settings, facts: Facts): FoundText {
  const failed = (bug: unknown): undefined => void reportBug(settings, bug, facts)
  try {
    const text = settings.apq?.documents.findHash(hash)
    return isPromise(text)
      ? inTime(Promise.resolve(text), storeTimeout, 'The store of apq').catch(failed)
      : text
  } catch (bug) {
    return failed(bug)
  }
}

const limitChannel = messageChannel('graphwire:limit')

/** Refuses a document that is not stored, if `trustedOnly` applies to the request. */
function* checkTrust(
  refusal: DocumentRefusal,
  params: GraphQLParams,
  { trustedOnly, reportOnly, onLimit }: Settings,
  facts: Facts,
): Road<void, Refusal> {
  if (trustedOnly === undefined) return
  const applies = yield* wait(trustedOnly(facts.head))
  checkReturned('trustedOnly', applies, required(aBoolean))
  if (!applies) return
  if (!reportOnly.has('trustedOnly')) return yield* stop(refusal)
  const { query, operationName } = params
  const report: LimitReport = {
    limit: 'trustedOnly',
    allowed: 0,
    found: 1,
    document: query,
    documentId: idOfHash(sha256(query)),
    operationName,
  }
  limitChannel?.publish(report)
  onLimit(report, facts)
}

/** Parses and validates stored documents at the start, if they and the schema are known by then. */
export function checkDocuments(caller: string, settings: Settings, engine: Engine): void {
  const { documents, documentPath, path, schema } = settings
  if (documentPath && path === undefined) {
    throw new TypeError(
      `${caller}: documentPath requires path, such as "/graphql": the id of a document follows it.`,
    )
  }
  if (documents?.texts === undefined || typeof schema === 'function') return
  const { maxDocumentLength, onInvalidDocument } = settings
  const seen = new Set<string>()
  for (const [id, document] of documents.texts) {
    // The second id of a document has the same faults.
    if (seen.has(document)) continue
    seen.add(document)
    const message =
      document.length > maxDocumentLength
        ? `The document is longer than maxDocumentLength, which is ${maxDocumentLength}.`
        : findFault(document, schema, engine)
    if (message !== undefined) onInvalidDocument({ id, document, message })
  }
}

function findFault(document: string, schema: GraphQLSchema, engine: Engine): string | undefined {
  const found = engine.findDocument(schema, document)
  return found.ok ? undefined : found.reason.errors.map(({ message }) => message).join(' ')
}

/** Stores a document that is known to be valid. */
export type DocumentSaver = (params: GraphQLParams, request: RequestInfo) => void

/** How many documents may be on their way to the store; further ones are not stored, and clients send them again. */
const maxPending = 100

/** Adds documents to the store of automatic persisted queries. Nothing waits for it. */
export function createDocumentSaver(settings: Settings): DocumentSaver {
  const { apq } = settings
  let pending = 0
  return ({ documentId, query }, request) => {
    if (apq === undefined || pending >= maxPending) return
    const failed = (bug: unknown): void => void reportBug(settings, bug, request)
    try {
      const stored = apq.store.set(documentId as string, query)
      if (!isPromise(stored)) return
      pending++
      void Promise.resolve(stored)
        .then(undefined, failed)
        .then(() => pending--)
    } catch (bug) {
      failed(bug)
    }
  }
}
