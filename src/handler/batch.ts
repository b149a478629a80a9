import { nextTurn, Turn } from '../base/promise.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { DocumentLimits } from '../graphql/limits/limits.js'
import {
  fieldValue,
  type HeaderList,
  type HttpResponse,
  type RequestHead,
} from '../http/message.js'
import { memo } from '../http/memo.js'
import { overlayHeaders } from '../http/overlay-headers.js'
import { withoutCaching } from '../http/storing.js'
import type { BatchSettings } from '../options/batch-options.js'
import type { CancelCause, Refusal } from '../over-http/refusals.js'
import { createParamsReader, type ParamsReader } from '../over-http/request/read-params.js'
import { isBatch, splitBatch, type BatchEntry } from '../over-http/request/split-batch.js'
import {
  chooseBatchType,
  respondToBatch,
  type BatchResult,
  type BatchType,
} from '../over-http/response/batch-response.js'
import { EntryRunner, type EntryReply } from './batch-entries.js'
import { withLayers } from './http-surface.js'
import { CancelledError } from './road/cancelled-error.js'
import { beginFacts, type Facts } from './road/facts.js'
import { stop, wait, type Road } from './road/road.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import { createResultReporter, type Finisher } from './steps/finish.js'

interface BatchRules extends BatchSettings, Pick<DocumentLimits, 'maxIntrospectionSize'> {
  readonly report: Finisher | undefined
}

/**
 * Runs bodies that are lists. A batch is one request of HTTP: its head is checked once, it is authenticated once, it has one
 * place among the requests in flight, and one time limit. From their parameters on, its operations take the
 * way of single requests, each with facts of its own.
 */
export class Batches {
  readonly #tools: EndpointTools
  readonly #rules: BatchRules
  readonly #readParams: ParamsReader
  readonly #chooseType = memo(chooseBatchType)

  constructor(limits: BatchSettings, tools: EndpointTools) {
    const { settings } = tools
    const { maxIntrospectionSize } = settings.limits
    this.#tools = tools
    const report = createResultReporter(settings, 'http')
    this.#rules = { ...limits, maxIntrospectionSize, report }
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
  *run(json: unknown, { head, startedAt, principal, followers }: Facts): Road<HttpResponse> {
    const entries = splitBatch(json, this.#typeFor(head), this.#rules)
    if (!entries.ok) return yield* stop(entries.reason)
    const slots = entries.value.list.map((entry): BatchSlot => {
      const facts = beginFacts(head, startedAt)
      facts.principal = principal
      facts.followers = followers
      return { entry, facts, plan: undefined, result: undefined, headers: [] }
    })
    const runner = new EntryRunner(this.#tools, this.#readParams)
    const batch = new Batch(slots, runner, entries.value.type, this.#rules)
    const reply = yield* wait(batch.run(), (cause) => batch.cancel(cause))
    return 'kind' in reply ? yield* stop(reply) : reply
  }
}

/** An operation, its place in the response, and what has become of it. */
interface BatchSlot {
  readonly entry: BatchEntry
  readonly facts: Facts
  /** The operation that it will run, or why it runs none. */
  plan: Operation | EntryReply | undefined
  result: BatchResult | undefined
  /** The headers that `onResult` has set. */
  headers: HeaderList
}

/**
 * One batch. All of its operations are planned before the first one runs, so that their costs can be added up. They start in
 * the order of the list: queries at once, up to a limit, and mutations alone, so that each operation sees
 * the effects of the mutations before it, and of no other.
 */
class Batch {
  readonly #slots: readonly BatchSlot[]
  readonly #runner: EntryRunner
  readonly #type: BatchType
  readonly #rules: BatchRules
  #turn = new Turn()
  /** The response is made: nothing is started any more. */
  #isOver = false

  constructor(
    slots: readonly BatchSlot[],
    runner: EntryRunner,
    type: BatchType,
    rules: BatchRules,
  ) {
    this.#slots = slots
    this.#runner = runner
    this.#type = type
    this.#rules = rules
  }

  /** The response, or the refusal of the whole batch. Also if it was cancelled, it waits for its resolvers. */
  async run(): Promise<HttpResponse | Refusal> {
    await this.#planAll()
    const refusal = this.#isOver ? undefined : this.#checkCosts()
    for (const slot of this.#slots) {
      if (isReply(slot.plan)) this.#settle(slot, slot.plan)
      else if (refusal) this.#settle(slot, this.#runner.refuse(refusal, slot.facts))
    }
    if (refusal !== undefined) return refusal
    await this.#runAll()
    return this.#respond()
  }

  /** The time is up, or the client is gone: what has not finished fails, and the rest is kept. */
  cancel(cause: CancelCause): HttpResponse {
    const unfinished = this.#slots.filter(({ result }) => result === undefined)
    for (const slot of unfinished) {
      const { plan, facts } = slot
      const reply = isReply(plan) ? plan : this.#runner.refuse({ kind: 'cancelled', cause }, facts)
      this.#settle(slot, reply)
    }
    this.#isOver = true
    for (const { facts } of unfinished) facts.cancellation.cancel(new CancelledError(cause))
    return this.#respond()
  }

  async #planAll(): Promise<void> {
    const planning: Promise<void>[] = []
    for (const slot of this.#slots) {
      if (this.#turn.isOver) this.#turn = await nextTurn()
      if (this.#isOver) break
      const planned = this.#runner.plan(slot.entry.json, slot.facts)
      planning.push(planned.then((plan) => void (slot.plan = plan)))
    }
    await Promise.all(planning)
  }

  /** A batch is one request: what is limited for each of its operations is limited for all of them, too. */
  #checkCosts(): Refusal | undefined {
    const { maxCost, maxIntrospectionSize } = this.#rules
    let cost = 0
    let introspection = 0
    for (const { plan } of this.#slots) {
      if (plan === undefined || isReply(plan)) continue
      cost += plan.costs.cost
      introspection += plan.costs.introspectionSize
    }
    return cost > maxCost
      ? tooExpensive('cost', maxCost, cost)
      : introspection > maxIntrospectionSize
        ? tooExpensive('introspection', maxIntrospectionSize, introspection)
        : undefined
  }

  async #runAll(): Promise<void> {
    const running = new Set<Promise<void>>()
    for (const slot of this.#slots) {
      const { plan, result, facts } = slot
      if (result !== undefined || plan === undefined || isReply(plan)) continue
      if (this.#turn.isOver) this.#turn = await nextTurn()
      const isMutation = plan.definition.operation === 'mutation'
      const most = isMutation ? 1 : this.#rules.maxConcurrent
      while (running.size >= most) await Promise.race(running)
      if (this.#isOver) break
      const following = this.#runner.run(plan, facts).then((reply) => {
        running.delete(following)
        this.#settle(slot, reply)
      })
      running.add(following)
      if (isMutation) await following
    }
    await Promise.all(running)
  }

  #settle(slot: BatchSlot, { text, status }: EntryReply): void {
    // The response has it as cancelled.
    if (this.#isOver) return
    const { requestIndex, variableIndex } = slot.entry
    slot.result = { text, requestIndex, variableIndex }
    const reported = this.#rules.report?.({ status, headers: [], body: text }, slot.facts)
    slot.headers = reported?.headers ?? []
  }

  /** The response, with the headers that resolvers and `onResult` have set: those of the last operation win. */
  #respond(): HttpResponse {
    const results = this.#slots.map(({ result }) => result as BatchResult)
    let response: HttpResponse = respondToBatch(results, this.#type)
    for (const { facts, headers } of this.#slots) {
      response = withLayers(response, facts)
      if (headers.length === 0) continue
      // One operation cannot make the results of all cacheable.
      const merged = overlayHeaders(response.headers, withoutCaching(headers))
      response = { ...response, headers: merged }
    }
    return response
  }
}

function isReply(plan: BatchSlot['plan']): plan is EntryReply {
  return plan !== undefined && 'text' in plan
}

/** What was found may be Infinity, which JSON cannot represent. */
function tooExpensive(of: 'cost' | 'introspection', limit: number, found: number): Refusal {
  return { kind: 'batch-too-expensive', of, limit, found: Math.min(found, Number.MAX_SAFE_INTEGER) }
}
