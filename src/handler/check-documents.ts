import type { GraphQLSchema } from 'graphql'
import type { Engine } from '../graphql/engine.js'
import type { Settings } from '../options/settings.js'

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
