import { quote, type RefusalRows } from './refusal-row.js'

/** What can be wrong with the name of a stored document. */
export type DocumentRefusal =
  | { readonly kind: 'document-not-found'; readonly id: string }
  | { readonly kind: 'persisted-query-not-found' }
  | { readonly kind: 'document-id-required' }
  | { readonly kind: 'document-mismatch' }

export const documentRefusals: RefusalRows<DocumentRefusal> = {
  'document-not-found': {
    status: 422,
    message: ({ id }) => `No document is stored under the id ${quote(id)}.`,
    doc: [
      'The `documentId` is not one of `documents`.',
      'Check the id; publish the documents of a client before the client.',
    ],
  },
  'persisted-query-not-found': {
    status: 422,
    // Apollo's clients recognize either of the two, and then send the document with its hash.
    code: 'PERSISTED_QUERY_NOT_FOUND',
    message: 'PersistedQueryNotFound',
    doc: [
      'The hash in `extensions.persistedQuery` is not that of a stored document.',
      'Send the document with its hash. With `trustedOnly`, as for DOCUMENT_NOT_FOUND.',
    ],
  },
  'document-id-required': {
    status: 422,
    message:
      'Only stored documents are executed: send the id of one as documentId, instead of a query.',
    doc: [
      'The request has a `query` instead of a `documentId`, and `trustedOnly` applies to it.',
      'Send the `documentId` of a stored document.',
    ],
  },
  'document-mismatch': {
    status: 422,
    message:
      'The query differs from the document that is identified by the id or hash sent with it.',
    doc: [
      'A `query` beside a `documentId` or a hash differs from the stored text.',
      'Omit `query`, or send exactly the text that was stored or hashed.',
    ],
  },
}
