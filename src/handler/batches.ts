import { fieldValue, type HttpResponse, type RequestHead } from '../http/message.js'
import type { BatchSettings } from '../options/batch-options.js'
import { isBatch, splitBatch } from '../over-http/request/split-batch.js'
import { createParamsReader, type ParamsReader } from '../over-http/request/read-params.js'
import { createBatchTypeChooser, type BatchType } from '../over-http/response/batch-response.js'
import { EntryRunner } from './batch-entries.js'
import { Batch, type BatchRules } from './batch.js'
import { beginFacts, type Facts } from './road/facts.js'
import { stop, wait, type Road } from './road/road.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import { createResultReporter } from './steps/finish.js'

/**
 * Runs bodies that are lists. A batch is one request of HTTP: its head is checked once, it is authenticated once, it has one
 * place among the requests in flight, and one time limit. From their parameters on, its operations take the
 * way of single requests, each with facts of its own.
 */
export class Batches {
  readonly #tools: EndpointTools
  readonly #rules: BatchRules
  readonly #readParams: ParamsReader
  readonly #chooseType = createBatchTypeChooser()

  constructor(limits: BatchSettings, tools: EndpointTools) {
    const { settings } = tools
    const { maxIntrospectionSize } = settings.limits
    this.#tools = tools
    this.#rules = {
      limits: { ...limits, maxIntrospectionSize },
      report: createResultReporter(settings, 'http'),
    }
    this.#readParams = createParamsReader(settings, 'entry')
  }

  /** Whether the JSON of a request is a batch; the draft has batches by POST only. */
  takes(json: unknown, head: RequestHead): boolean {
    return head.method === 'POST' && isBatch(json, this.#typeFor(head))
  }

  #typeFor({ headers }: RequestHead): BatchType | undefined {
    return this.#chooseType(fieldValue(headers, 'accept'))
  }

  /** If it is cancelled, what has been done is kept. */
  *run(json: unknown, { head, principal }: Facts): Road<HttpResponse> {
    const entries = splitBatch(json, this.#typeFor(head), this.#rules.limits)
    if (!entries.ok) return yield* stop(entries.reason)
    const startedAt = this.#tools.settings.onResult === undefined ? 0 : performance.now()
    const list = entries.value.list.map((entry) => {
      const facts = beginFacts(head, startedAt)
      facts.principal = principal
      return { entry, facts }
    })
    const runner = new EntryRunner(this.#tools, this.#readParams)
    const batch = new Batch(list, runner, entries.value.type, this.#rules)
    const reply = yield* wait(batch.start(), (cause) => batch.cancel(cause))
    return 'kind' in reply ? yield* stop(reply) : reply
  }
}
