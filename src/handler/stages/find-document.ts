import type { GraphQLSchema } from 'graphql'
import { andThen } from '../../base/promise.js'
import { sha256 } from '../../base/sha256.js'
import type { Engine } from '../../graphql/engine.js'
import type { GraphQLParams } from '../../graphql/execute/params.js'
import { messageChannel } from '../../graphql/js/tracing.js'
import type { LimitReport } from '../../graphql/limits/limits.js'
import type { Settings } from '../../options/settings.js'
import type { DocumentRefusal, Refusal } from '../../over-http/refusal.js'
import type { DocumentName } from '../../over-http/request/document-params.js'
import { hasHash, idOfHash } from '../../persisted/document-id.js'
import type { Exchange } from './exchange.js'

type Refusing = Refusal | undefined | Promise<Refusal | undefined>

/** Finds the document that a request names, or decides whether it may bring its own. */
type DocumentStage = (exchange: Exchange) => Refusing

/** None without stored documents. */
export function createDocumentStages(settings: Settings): { readonly document?: DocumentStage } {
  const { documents, apq } = settings
  if (documents === undefined && apq === undefined) return {}
  const checkTrust = createTrustCheck(settings)
  return {
    document(exchange) {
      const { documentName } = exchange
      if (documentName === undefined) return checkTrust(exchange, { kind: 'document-id-required' })
      return andThen(find(documentName, settings), (text) =>
        text === undefined
          ? takeUnknown(documentName, exchange)
          : takeStored(text, exchange, settings),
      )
    },
  }

  function takeUnknown(name: DocumentName, exchange: Exchange): Refusing {
    if (name.kind === 'id') return { kind: 'document-not-found', id: name.id }
    const { query } = exchange.params as GraphQLParams
    if (query === '') return { kind: 'persisted-query-not-found' }
    if (!hasHash(query, name.hash)) return { kind: 'document-mismatch' }
    exchange.isNewDocument = true
    return checkTrust(exchange, { kind: 'persisted-query-not-found' })
  }
}

/** A document that all clients share comes before one that a client has added. */
function find(
  name: DocumentName,
  { documents, apq }: Settings,
): string | undefined | Promise<string | undefined> {
  if (name.kind === 'id') return documents?.find(name.id)
  return andThen(
    documents?.findHash(name.hash),
    (text) => text ?? apq?.documents.findHash(name.hash),
  )
}

function takeStored(
  text: string,
  exchange: Exchange,
  { maxDocumentLength: limit }: Settings,
): Refusal | undefined {
  const params = exchange.params as GraphQLParams
  if (text.length > limit) return { kind: 'document-too-long', limit, found: text.length }
  if (params.query !== '' && params.query !== text) return { kind: 'document-mismatch' }
  exchange.params = { ...params, query: text }
  return undefined
}

/** Refuses documents that are not stored, if `trustedOnly` applies to the request. */
function createTrustCheck(
  settings: Settings,
): (exchange: Exchange, refusal: DocumentRefusal) => Refusing {
  const { trustedOnly, reportOnly, onLimit } = settings
  if (trustedOnly === undefined) return () => undefined
  const channel = messageChannel('graphwire:limit')
  const isReported = reportOnly.has('trustedOnly')
  return (exchange, refusal) =>
    andThen(trustedOnly(exchange.head), (applies) => {
      if (!applies) return undefined
      if (!isReported) return refusal
      const report = reportUntrusted(exchange.params as GraphQLParams)
      channel?.publish(report)
      onLimit(report, exchange)
      return undefined
    })
}

function reportUntrusted({ query, operationName }: GraphQLParams): LimitReport {
  return {
    limit: 'trustedOnly',
    allowed: 0,
    found: 1,
    document: query,
    documentId: idOfHash(sha256(query)),
    operationName,
  }
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
