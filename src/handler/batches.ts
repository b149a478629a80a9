import { fieldValue } from '../http/message.js'
import type { BatchSettings } from '../options/batch-options.js'
import type { Settings } from '../options/settings.js'
import { isBatch, splitBatch, type BatchEntry } from '../over-http/request/split-batch.js'
import { createBatchTypeChooser } from '../over-http/response/batch-response.js'
import { createEntryRunner, SharedDocuments, type EntryExchange } from './batch-entries.js'
import { Batch, type BatchRules } from './batch.js'
import type { GraphQLExchange } from './graphql-surface.js'
import { LengthBudget } from './stages/check-length.js'
import { beginExchange } from './stages/exchange.js'
import { createClock, createResultReporter } from './stages/finish.js'
import { createBodyStage } from './stages/graphql-stages.js'
import { createParamsTaker } from './stages/take-params.js'
import type { Services } from './stages/run-operation.js'
import type { Stage, Surface } from './stages/stage.js'

/** What an endpoint with batches has in place of its own. */
interface Batches<On extends Surface<GraphQLExchange>> {
  /** Reads the body: the parameters of a request, or the response to a batch. */
  readonly readBody: Stage<GraphQLExchange>
  /** Responds to batches that are cancelled with what has been done. */
  readonly surface: On
}

/**
 * Runs bodies that are lists. A batch is one request of HTTP: its head is checked once, it is authenticated once, it has one
 * place among the requests in flight, and one time limit. From their parameters on, its operations go through
 * the stages of single requests, each on an exchange of its own.
 */
export function createBatches<On extends Surface<GraphQLExchange>>(
  settings: Settings,
  limits: BatchSettings,
  services: Services,
  surface: On,
): Batches<On> {
  const chooseType = createBatchTypeChooser()
  const useParams = createParamsTaker(settings)
  const begin = createEntryMaker(settings)
  const rules: BatchRules = {
    limits: { ...limits, maxIntrospectionSize: settings.limits.maxIntrospectionSize },
    runner: createEntryRunner(settings, services),
    report: createResultReporter(settings, 'http'),
  }
  const running = new WeakMap<GraphQLExchange, Batch>()
  return {
    readBody: createBodyStage<GraphQLExchange>(settings, (json, exchange) => {
      const { method, headers } = exchange.head
      const type = chooseType(fieldValue(headers, 'accept'))
      // The draft has batches by POST only.
      if (method !== 'POST' || !isBatch(json, type)) return useParams(json, exchange)
      const entries = splitBatch(json, type, limits)
      if (!entries.ok) return entries.reason
      const { list, type: chosen } = entries.value
      const batch = new Batch(begin(list, exchange), chosen, rules)
      running.set(exchange, batch)
      return batch.start()
    }),
    surface: {
      ...surface,
      refuse(refusal, exchange) {
        const response =
          refusal.kind === 'cancelled' ? running.get(exchange)?.cancel(refusal.cause) : undefined
        return response ?? surface.refuse(refusal, exchange)
      },
    },
  }
}

/** Makes the exchanges of the operations of a batch. */
function createEntryMaker(
  settings: Settings,
): (list: readonly BatchEntry[], whole: GraphQLExchange) => readonly EntryExchange[] {
  const now = createClock(settings)
  return (list, { head, principal }) => {
    const startedAt = now()
    const shared = {
      principal,
      documents: new SharedDocuments(),
      budget: new LengthBudget(settings.maxResponseBytes),
    }
    return list.map((entry) => ({ ...beginExchange(head, startedAt, undefined), ...shared, entry }))
  }
}
