import { isJsonObject } from '../base/json.js'
import type { Shape } from '../shapes/shape.js'
import { hasMethods } from '../shapes/shapes.js'
import { showValue, tagOf } from '../shapes/show-value.js'

/** Documents by their identifiers, as relay-compiler, the client preset of graphql-codegen and gql.tada write them. */
export interface DocumentTexts {
  readonly [id: string]: string
}

/** The manifest of Apollo's `generate-persisted-query-manifest`. */
export interface ApolloManifest {
  readonly format: 'apollo-persisted-query-manifest'
  readonly version: 1
  readonly operations: readonly {
    readonly id: string
    readonly name?: string
    readonly type?: string
    readonly body: string
  }[]
}

/** What knows the documents that are not in a manifest, such as a table or a key-value store. */
export interface DocumentStore {
  /** The source text of the document, or undefined or null if the store does not have it. */
  get(id: string): TextOrNone | PromiseLike<TextOrNone>
}

type TextOrNone = string | null | undefined

/** Everything that can name documents. */
export type DocumentSource =
  | DocumentTexts
  | ReadonlyMap<string, string>
  | ApolloManifest
  | DocumentStore

const apolloFormat = 'apollo-persisted-query-manifest'

/** The documents of a manifest of any format; undefined for a store. */
export function readManifest(source: DocumentSource): ReadonlyMap<string, string> | undefined {
  if (isMap(source)) return new Map(source)
  if (isApollo(source)) return new Map(source.operations.map(({ id, body }) => [id, body]))
  if (isStore(source)) return undefined
  return new Map(Object.entries(source))
}

/** Says what is wrong with a manifest; undefined if nothing is. The path is that of the option or the file. */
export function findManifestFault(value: unknown, path: string): string | undefined {
  if (isMap(value)) return findTextFault([...value], path)
  if (isStore(value)) return undefined
  if (!isJsonObject(value)) return `${path}: expected ${expected}, got ${showValue(value)}.`
  if (typeof value['format'] === 'string' && Array.isArray(value['operations'])) {
    return findApolloFault(value['format'], value['version'], value['operations'], path)
  }
  return findTextFault(Object.entries(value), path)
}

const expected =
  'documents by id such as { "sha256:...": "{ me { name } }" }, a manifest, or a store with get(id)'

export const documentsShape: Shape = {
  expected,
  fits: (value) => isMap(value) || isJsonObject(value),
  findInside: (value, path) => findManifestFault(value, path),
}

function findTextFault(
  entries: readonly (readonly [unknown, unknown])[],
  path: string,
): string | undefined {
  const wrong = entries.find(([id, text]) => typeof id !== 'string' || typeof text !== 'string')
  if (wrong === undefined) return undefined
  const [id, text] = wrong
  return typeof id === 'string'
    ? `${path}: expected the text of the document ${showValue(id)}, got ${showValue(text)}.`
    : `${path}: expected an id that is a string, got ${showValue(id)}.`
}

function findApolloFault(
  format: string,
  version: unknown,
  operations: readonly unknown[],
  path: string,
): string | undefined {
  if (format !== apolloFormat || version !== 1) {
    return `${path}: expected a manifest with format ${showValue(apolloFormat)} and version 1, got ${showValue(format)} and ${showValue(version)}.`
  }
  const texts = new Map<string, string>()
  for (const [at, one] of operations.entries()) {
    const place = `${path}.operations[${at}]`
    if (!isApolloOperation(one)) {
      return `${place}: expected { id, name, type, body } with texts, got ${showValue(one)}.`
    }
    if ((texts.get(one.id) ?? one.body) !== one.body) {
      return `${place}: the id ${showValue(one.id)} names another document in an earlier operation.`
    }
    texts.set(one.id, one.body)
  }
  return undefined
}

function isApolloOperation(value: unknown): value is ApolloManifest['operations'][number] {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['body'] === 'string'
}

function isApollo(value: DocumentSource): value is ApolloManifest {
  return 'format' in value && value.format === apolloFormat && 'operations' in value
}

function isStore(value: unknown): value is DocumentStore {
  return hasMethods(value, 'get')
}

function isMap(value: unknown): value is ReadonlyMap<string, string> {
  return tagOf(value) === 'Map'
}
