import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Params } from './call.js'
import type { Has } from './defects.js'

/** A document text, or why there is none. */
export type Found =
  | { readonly text: string }
  | { readonly status: number; readonly errors: readonly object[] }

const file = new URL('../../../../../fixtures/optional/persisted-documents.json', import.meta.url)
const known = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)
  .filter((value) => typeof value === 'object')
  .flatMap((value) => Object.entries(value as Record<string, string>))

/** Finds the text of a request: by documentId, by the hash of an automatic persisted query, or as it is. */
export class Documents {
  readonly #has: Has
  readonly #known = new Map(known)
  readonly #registered = new Map<string, string>()

  constructor(has: Has) {
    this.#has = has
  }

  find(params: Params): Found {
    const { query, documentId, extensions } = params
    const has = this.#has
    if (documentId !== undefined && documentId !== null) {
      if (query !== undefined && !has('document-wins')) return fault(422, 'Both a query and an id.')
      return this.#byId(documentId, params)
    }
    const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: unknown }
    if (persistedQuery !== undefined && has('apq-unsupported')) {
      return fault(query === undefined ? 200 : 422, 'Without hashes, please.')
    }
    if (persistedQuery !== undefined) return this.#byHash(persistedQuery, query)
    if (typeof query === 'string') return { text: query }
    return fault(has('document-missing') ? 200 : 422, 'No query.')
  }

  #byId(documentId: unknown, params: Params): Found {
    const has = this.#has
    if (typeof documentId !== 'string')
      return fault(has('document-not-a-string') ? 500 : 422, 'No id.')
    if (has('document-extensions') && params['extensions']) return fault(422, 'Extensions.')
    if (has('document-null') && Object.values(params).includes(null)) return fault(422, 'null.')
    if (has('document-unknown-property') && 'graphwireUnknown' in params)
      return fault(422, 'Unknown.')
    if (has('document-prototype') && documentId in {})
      throw new Error('The prototype was looked at.')
    let id = has('document-upper-case') ? documentId.toLowerCase() : documentId
    if (has('document-prefix')) id = id.replace(/^(?:SHA256|md5|sha1):.*/, known[0]?.[0] ?? '')
    const text = this.#known.get(id)
    const isLost =
      (has('document-latin1') && text?.includes('ß')) ||
      (has('document-trimmed') && text !== text?.trim())
    if (text !== undefined && !isLost) return { text }
    const errors = has('document-two-errors') ? ['Unknown.', 'Unknown.'] : ['Unknown.']
    return {
      status: has('document-200') ? 200 : 422,
      errors: errors.map((message) => ({ message })),
    }
  }

  #byHash(extension: unknown, query: unknown): Found {
    const has = this.#has
    const { version, sha256Hash: hash } = (extension ?? {}) as {
      version?: unknown
      sha256Hash?: unknown
    }
    if (has('apq-extension-type') && (typeof extension !== 'object' || Array.isArray(extension))) {
      return fault(500, 'No map.')
    }
    if (typeof hash !== 'string') return fault(has('apq-hash-type') ? 500 : 422, 'No hash.')
    if (has('apq-prototype') && hash in {}) throw new Error('The prototype was looked at.')
    if (version !== 1 && !has('apq-version')) return fault(422, 'Another version.')
    const key = has('apq-upper-case') ? hash.toLowerCase() : hash
    if (query === undefined) {
      const text = this.#registered.get(key)
      if (text !== undefined) return { text }
      const extensions = { code: 'PERSISTED_QUERY_NOT_FOUND' }
      return {
        status: has('apq-200') ? 200 : 422,
        errors: [{ message: 'PersistedQueryNotFound', extensions }],
      }
    }
    return typeof query === 'string' ? this.#register(hash, key, query) : fault(422, 'No text.')
  }

  #register(hash: string, key: string, text: string): Found {
    const has = this.#has
    if (has('apq-register')) return fault(422, 'Not now.')
    const hashed = has('apq-trimmed') ? text.trim() : text
    const own = createHash('sha256').update(hashed, has('apq-latin1') ? 'latin1' : 'utf8')
    if (own.digest('hex') !== hash && !has('apq-wrong-hash') && !has('apq-version')) {
      return fault(422, 'The hash is that of another text.')
    }
    if (!has('apq-not-stored')) this.#registered.set(key, text)
    return { text }
  }
}

function fault(status: number, message: string): Found {
  return { status, errors: [{ message }] }
}
