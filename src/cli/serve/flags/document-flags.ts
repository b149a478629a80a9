import { listType, switchType, textType, type FlagTable } from '../../arguments/flag.js'

/** The flags of `serve` for stored documents. */
export interface DocumentFlags {
  readonly documents: readonly string[]
  readonly 'trusted-only': boolean
  readonly 'watch-documents': boolean
}

const group = 'Stored documents'

export const documentFlags: FlagTable<DocumentFlags> = {
  documents: {
    type: listType(textType('file', 'names of JSON files')),
    default: [],
    defaultText: 'none',
    env: ['GRAPHWIRE_DOCUMENTS'],
    group,
    doc: 'Manifests of stored documents, which clients name by documentId.',
  },
  'trusted-only': {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_TRUSTED_ONLY'],
    group,
    doc: 'Execute only stored documents.',
  },
  'watch-documents': {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_WATCH_DOCUMENTS'],
    group,
    doc: 'Reload when a manifest changes; if the new one is broken, keep serving the old one.',
  },
}
