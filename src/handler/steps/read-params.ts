import { success, type Outcome } from '../../base/outcome.js'
import type { RequestHead } from '../../http/message.js'
import type { Settings } from '../../options/settings.js'
import type { Refusal } from '../../over-http/refusals.js'
import { checkNamingParams, type NamingParams } from '../../over-http/request/document-params.js'
import { findDocumentPlace } from '../../over-http/request/document-place.js'
import { checkParams } from '../../over-http/request/read-params.js'

/** Checks the parameters of a request, wherever they were read. */
export type ParamsReader = (json: unknown, head: RequestHead) => Outcome<NamingParams, Refusal>

/** Without stored documents, nothing looks for their names. `where` is what has to be an object. */
export function createParamsReader(
  settings: Settings,
  where: 'body' | 'entry' = 'body',
): ParamsReader {
  const { documents, apq, maxDocumentLength, trustedOnly, documentPath, path } = settings
  if (documents === undefined && apq === undefined) {
    return (json) => {
      const params = checkParams(json, settings, where)
      return params.ok ? success({ params: params.value, name: undefined }) : params
    }
  }
  const rules = {
    maxDocumentLength,
    readsId: documents !== undefined,
    required: trustedOnly === undefined ? ('query' as const) : ('documentId' as const),
  }
  return (json, { target }) => {
    const place = documentPath && path !== undefined ? findDocumentPlace(target, path) : undefined
    return checkNamingParams(json, rules, place, where)
  }
}
