import { isJsonObject, type JsonObject } from '../../base/json.js'
import { failure, success, type Outcome } from '../../base/outcome.js'
import type { GraphQLParams } from '../../graphql/execute/params.js'
import type { Refusal } from '../refusals.js'
import type { DocumentPlace } from './document-place.js'
import { checkParams, invalid, own, type ParamsLimits } from './read-params.js'

/** How a request names a stored document: by its id, or by the hash of Apollo's protocol. */
export type DocumentName =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'hash'; readonly hash: string }

/** Parameters whose `query` is empty if the request only names a document. */
export interface NamingParams {
  readonly params: GraphQLParams
  readonly name: DocumentName | undefined
}

/** What a request may name. */
export interface NamingRules extends ParamsLimits {
  /** Whether `documentId` is a parameter; if not, only Apollo's hash names documents. */
  readonly readsId: boolean
  /** What is said to be missing if a request has neither. */
  readonly required: 'query' | 'documentId'
}

/**
 * Checks the parameters of a request that may name a stored document instead of sending one (specification draft,
 * appendix "Persisted Documents"). An id takes precedence over a hash, and that in the path is the id.
 */
export function checkNamingParams(
  json: unknown,
  rules: NamingRules,
  place: DocumentPlace | undefined,
  where: 'body' | 'entry',
): Outcome<NamingParams, Refusal> {
  const hasQuery = isJsonObject(json) && own(json, 'query') !== undefined
  const checked = checkParams(
    isJsonObject(json) && !hasQuery ? { ...json, query: '' } : json,
    rules,
    where,
  )
  if (!checked.ok) return checked
  const params = checked.value
  const named = readName(json as JsonObject, params, rules, place)
  if (!named.ok) return named
  const name = named.value
  if (name === undefined) {
    return hasQuery ? success({ params, name }) : invalid(rules.required, undefined)
  }
  // An empty query is a document, but never a stored one.
  if (hasQuery && params.query === '') return failure({ kind: 'document-mismatch' })
  const { operationName = place?.operationName } = params
  if (place?.operationName !== undefined && operationName !== place.operationName) {
    return invalid('operationName', 'the one in the path, or absent')
  }
  const documentId = name.kind === 'id' ? name.id : `sha256:${name.hash}`
  return success({ params: { ...params, operationName, documentId }, name })
}

function readName(
  json: JsonObject,
  { extensions }: GraphQLParams,
  { readsId }: NamingRules,
  place: DocumentPlace | undefined,
): Outcome<DocumentName | undefined, Refusal> {
  const documentId = readsId ? own(json, 'documentId') : undefined
  if (documentId !== undefined && typeof documentId !== 'string') {
    return invalid('documentId', 'a string')
  }
  if (place !== undefined && documentId !== undefined && documentId !== place.id) {
    return invalid('documentId', 'the id in the path, or absent')
  }
  const id = place?.id ?? documentId
  return id === undefined ? readHash(extensions) : success({ kind: 'id', id })
}

/** Reads the extension of Apollo's protocol, whose only version is 1. */
function readHash(extensions: JsonObject | undefined): Outcome<DocumentName | undefined, Refusal> {
  const extension = extensions && own(extensions, 'persistedQuery')
  if (extension === undefined) return success(undefined)
  if (!isJsonObject(extension)) return invalid('extensions.persistedQuery', 'a JSON object or null')
  if (own(extension, 'version') !== 1) return invalid('extensions.persistedQuery.version', '1')
  const hash = own(extension, 'sha256Hash')
  return typeof hash === 'string'
    ? success({ kind: 'hash', hash })
    : invalid('extensions.persistedQuery.sha256Hash', 'a string')
}
