import type { TargetMaker } from '../../fuzz/target.js'
import { accept } from './targets/accept.js'
import { documentText } from './targets/document-text.js'
import { headerFields } from './targets/header-fields.js'
import { incremental } from './targets/incremental.js'
import { jsonBodies, jsonNesting } from './targets/json-bodies.js'
import { lists } from './targets/lists.js'
import { rawBytes } from './targets/raw-bytes.js'
import { resumedEvents } from './targets/resumed-events.js'
import { sockets } from './targets/sockets.js'
import { twoHosts } from './targets/two-hosts.js'
import { validDocuments } from './targets/valid-documents.js'

/** Every target by its name. */
export const targets: { readonly [name: string]: TargetMaker } = {
  accept,
  lists,
  'json-nesting': jsonNesting,
  'json-bodies': jsonBodies,
  'valid-documents': validDocuments,
  incremental,
  'document-text': documentText,
  'header-fields': headerFields,
  'raw-bytes': rawBytes,
  'two-hosts': twoHosts,
  sockets,
  'resumed-events': resumedEvents,
}
