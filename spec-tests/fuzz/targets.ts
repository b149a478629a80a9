import type { TargetMaker } from './target.js'
import { accept } from './targets/accept.js'
import { lists } from './targets/lists.js'
import { mediaTypes } from './targets/media-types.js'
import { queryComponent } from './targets/query-component.js'
import { validDocuments } from './targets/valid-documents.js'

/** Every target by its name. */
export const targets: { readonly [name: string]: TargetMaker } = {
  'media-types': mediaTypes,
  accept,
  lists,
  'query-component': queryComponent,
  'valid-documents': validDocuments,
}
