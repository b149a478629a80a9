import { isPromise } from '../../base/promise.js'
import type { GraphQLParams } from '../../graphql/execute/params.js'
import type { RequestError } from '../../graphql/errors/request-error.js'
import { reportBug } from '../../options/report.js'
import type { Settings } from '../../options/settings.js'
import type { Exchange } from './exchange.js'

type Preparation<On extends Exchange> = (exchange: On) => RequestError | undefined

/** How many documents may be on their way to the store; further ones are not stored, and clients send them again. */
const maxPending = 100

/** Adds documents to the store of automatic persisted queries once they are known to be valid. Nothing waits for it. */
export function storingDocuments<On extends Exchange>(
  settings: Settings,
  prepare: Preparation<On>,
): Preparation<On> {
  const { apq } = settings
  if (apq === undefined) return prepare
  const { store } = apq
  let pending = 0
  return (exchange) => {
    const refusal = prepare(exchange)
    if (refusal === undefined && exchange.isNewDocument && pending < maxPending) add(exchange)
    return refusal
  }

  function add(exchange: Exchange): void {
    const { documentId, query } = exchange.params as GraphQLParams
    const failed = (bug: unknown): void => void reportBug(settings, bug, exchange)
    try {
      const stored = store.set(documentId as string, query)
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
