import { isJsonObject, type JsonObject } from '../../base/json.js'
import { failure, success, type Outcome } from '../../base/outcome.js'
import type { GraphQLParams } from '../../graphql/execute/params.js'
import { memo } from '../../http/memo.js'
import type { RequestHead } from '../../http/message.js'
import { decodeValue, findParameters } from '../../http/target.js'
import type { Refusal } from '../refusals.js'
import { findDocumentPlace, type DocumentPlace } from './document-place.js'
import { readJson } from './read-body.js'

interface ParamsLimits {
  readonly maxDocumentLength: number
}

/**
 * Checks that a JSON value contains the parameters of a well-formed request. Only own properties count,
 * `null` means absent, and unknown properties are ignored (specification section "JSON Encoding").
 */
export function checkParams(
  json: unknown,
  { maxDocumentLength: limit }: ParamsLimits,
  where: 'body' | 'entry' = 'body',
): Outcome<GraphQLParams, Refusal> {
  if (Array.isArray(json) && where === 'body') return failure({ kind: 'batching-not-supported' })
  if (!isJsonObject(json)) return invalid(where, 'a JSON object')
  const query = own(json, 'query')
  if (query === undefined) return invalid('query', undefined)
  if (typeof query !== 'string') return invalid('query', 'a string')
  if (query.length > limit) {
    return failure({ kind: 'document-too-long', limit, found: query.length })
  }
  const operationName = own(json, 'operationName')
  if (operationName !== undefined && typeof operationName !== 'string') {
    return invalid('operationName', 'a string or null')
  }
  const variables = own(json, 'variables')
  if (variables !== undefined && !isJsonObject(variables)) {
    return invalid('variables', 'a JSON object or null')
  }
  const extensions = own(json, 'extensions')
  if (extensions !== undefined && !isJsonObject(extensions)) {
    return invalid('extensions', 'a JSON object or null')
  }
  return success({ query, operationName, variables, extensions })
}

/** An own member, with null as absent. */
function own(json: JsonObject, name: string): unknown {
  return Object.hasOwn(json, name) ? (json[name] ?? undefined) : undefined
}

/** `expected` is undefined if a required parameter is missing. */
function invalid(name: string, expected: string | undefined): Outcome<never, Refusal> {
  return failure({ kind: 'invalid-parameter', name, expected })
}

/** Checks the parameters of a request, wherever they were read. */
export type ParamsReader = (json: unknown, head: RequestHead) => Outcome<NamingParams, Refusal>

/** The options that decide how requests may name their documents. */
interface ReaderRules extends ParamsLimits {
  readonly path: string | undefined
  readonly documents: object | undefined
  readonly apq: object | undefined
  readonly documentPath: boolean
  readonly trustedOnly: unknown
}

/** Without stored documents, nothing looks for their names. `where` is what has to be an object. */
export function createParamsReader(
  settings: ReaderRules,
  where: 'body' | 'entry' = 'body',
): ParamsReader {
  const { documents, apq, maxDocumentLength, trustedOnly, documentPath, path } = settings
  if (documents === undefined && apq === undefined) {
    return (json) => {
      const params = checkParams(json, settings, where)
      return params.ok ? success({ params: params.value, name: undefined }) : params
    }
  }
  const rules: NamingRules = {
    maxDocumentLength,
    readsId: documents !== undefined,
    required: trustedOnly === undefined ? 'query' : 'documentId',
  }
  return (json, { target }) => {
    const place = documentPath && path !== undefined ? findDocumentPlace(target, path) : undefined
    return checkNamingParams(json, rules, place, where)
  }
}

/** How a request names a stored document: by its id, or by the hash of Apollo's protocol. */
export type DocumentName =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'hash'; readonly hash: string }

/** Parameters whose `query` is empty if the request only names a document. */
export interface NamingParams {
  readonly params: GraphQLParams
  readonly name: DocumentName | undefined
}

interface NamingRules extends ParamsLimits {
  /** Whether `documentId` is a parameter; if not, only Apollo's hash names documents. */
  readonly readsId: boolean
  /** The parameter that is reported as missing if a request has neither. */
  readonly required: 'query' | 'documentId'
}

/**
 * Checks the parameters of a request that may name a stored document instead of sending one (specification draft, appendix
 * "Persisted Documents"). An id takes precedence over a hash, and may be in the path.
 */
function checkNamingParams(
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

export interface UrlRules {
  readonly maxJsonNesting: number
}

const names = ['query', 'operationName', 'variables', 'extensions'] as const

type ParameterName = (typeof names)[number]

/** Reads the parameters from the query of a GET request, as those of a body are read: they are not checked yet. */
export type UrlReader = (target: string) => Outcome<JsonObject, Refusal>

/** An empty parameter counts as absent if it is optional. */
export function createUrlReader(rules: UrlRules, readsId = false): UrlReader {
  const read: readonly (ParameterName | 'documentId')[] = readsId ? [...names, 'documentId'] : names
  // Clients send few documents and many variables; decoding a short document is 2 % of a request.
  const decodeQuery = memo((text = '') => toOwnText(decodeValue(text)), 128, 2048)
  return (target) => {
    const found = findParameters(target, read)
    const { query, operationName, variables, extensions, documentId } = found
    const variablesJson = variables ? readMember(variables, 'variables', rules) : absent
    if (!variablesJson.ok) return variablesJson
    const extensionsJson = extensions ? readMember(extensions, 'extensions', rules) : absent
    if (!extensionsJson.ok) return extensionsJson
    return success({
      query: query === undefined ? undefined : decodeQuery(query),
      operationName: operationName ? decodeValue(operationName) : undefined,
      variables: variablesJson.value,
      extensions: extensionsJson.value,
      documentId: documentId ? decodeValue(documentId) : undefined,
    })
  }
}

/** A part of a text keeps the whole: a stored document would keep its URL. */
function toOwnText(part: string): string {
  return JSON.parse(JSON.stringify(part)) as string
}

function readMember(
  encoded: string,
  name: string,
  { maxJsonNesting }: UrlRules,
): Outcome<unknown, Refusal> {
  return readJson(decodeValue(encoded), name, maxJsonNesting)
}

const absent = success(undefined)
