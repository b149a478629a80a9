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
  for (const [id, document] of documents.texts) checkDocument(id, document, schema)

  function checkDocument(id: string, document: string, checked: GraphQLSchema): void {
    const { maxDocumentLength, onInvalidDocument } = settings
    const found = engine.findDocument(checked, document)
    const message =
      document.length > maxDocumentLength
        ? `The document is longer than maxDocumentLength, which is ${maxDocumentLength}.`
        : found.ok
          ? undefined
          : found.reason.errors.map((error) => error.message).join(' ')
    if (message !== undefined) onInvalidDocument({ id, document, message })
  }
}
