import { isPromise } from '../../base/promise.js'
import type { GraphQLParams } from '../../graphql/execute/params.js'
import { reportBug } from '../../options/report.js'
import type { RequestInfo } from '../../options/request-info.js'
import type { Settings } from '../../options/settings.js'

/** Stores a document that is known to be valid. */
export type DocumentSaver = (params: GraphQLParams, request: RequestInfo) => void

/** How many documents may be on their way to the store; further ones are not stored, and clients send them again. */
const maxPending = 100

/** Adds documents to the store of automatic persisted queries. Nothing waits for it. */
export function createDocumentSaver(settings: Settings): DocumentSaver {
  const { apq } = settings
  let pending = 0
  return ({ documentId, query }, request) => {
    if (apq === undefined || pending >= maxPending) return
    const failed = (bug: unknown): void => void reportBug(settings, bug, request)
    try {
      const stored = apq.store.set(documentId as string, query)
      if (!isPromise(stored)) return
      pending++
      void Promise.resolve(stored)
        .then(undefined, failed)
        .then(() => pending--)
    } catch (bug) {
      failed(bug)
    }
  }
}
