import type { Settings } from '../../options/settings.js'
import type { Refusal } from '../../over-http/refusal.js'
import { checkNamingParams } from '../../over-http/request/document-params.js'
import { findDocumentPlace } from '../../over-http/request/document-place.js'
import { checkParams } from '../../over-http/request/read-params.js'
import type { Exchange } from './exchange.js'

/** Checks the parameters of a request, wherever they were read, and stores them. */
type ParamsTaker = (json: unknown, exchange: Exchange) => Refusal | undefined

/** Without stored documents, nothing looks for their names. `where` is what has to be an object. */
export function createParamsTaker(
  settings: Settings,
  where: 'body' | 'entry' = 'body',
): ParamsTaker {
  const { documents, apq, maxDocumentLength, trustedOnly, documentPath, path } = settings
  if (documents === undefined && apq === undefined) {
    return (json, exchange) => {
      const params = checkParams(json, settings, where)
      if (!params.ok) return params.reason
      exchange.params = params.value
      return undefined
    }
  }
  const rules = {
    maxDocumentLength,
    readsId: documents !== undefined,
    required: trustedOnly === undefined ? ('query' as const) : ('documentId' as const),
  }
  return (json, exchange) => {
    const place =
      documentPath && path !== undefined ? findDocumentPlace(exchange.head.target, path) : undefined
    const checked = checkNamingParams(json, rules, place, where)
    if (!checked.ok) return checked.reason
    exchange.params = checked.value.params
    exchange.documentName = checked.value.name
    return undefined
  }
}
