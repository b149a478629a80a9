import { andThen, isPromise, nextTurn, Turn } from '../base/promise.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { DocumentLimits } from '../graphql/limits/limits.js'
import type { HeaderList, HttpResponse } from '../http/message.js'
import { overlayHeaders } from '../http/overlay-headers.js'
import { withoutCaching } from '../http/storing.js'
import type { BatchSettings } from '../options/batch-options.js'
import type { CancelCause, Refusal } from '../over-http/refusals.js'
import type { BatchEntry } from '../over-http/request/split-batch.js'
import {
  respondToBatch,
  type BatchResult,
  type BatchType,
} from '../over-http/response/batch-response.js'
import type { EntryReply, EntryRunner } from './batch-entries.js'
import type { Facts } from './road/facts.js'
import { CancelledError } from './road/cancelled-error.js'
import type { Finisher } from './steps/finish.js'
import { withLayers } from './http-surface.js'

/** What batches of a handler share. */
export interface BatchRules {
  readonly limits: BatchSettings & Pick<DocumentLimits, 'maxIntrospectionSize'>
  readonly report: Finisher | undefined
}

/** An operation, its place in the response, and what has become of it. */
interface BatchSlot {
  readonly entry: BatchEntry
  readonly facts: Facts
  /** Once it is planned. */
  operation: Operation | undefined
  /** Why it is not run. */
  failure: EntryReply | undefined
  result: BatchResult | undefined
  /** The headers that `onResult` has set. */
  headers: HeaderList
}

type Reply = HttpResponse | Refusal

/**
 * One batch. All of its operations are planned before the first one runs, so that their costs can be added up. They start in
 * the order of the list: queries at once, up to a limit, and mutations alone, so that each operation sees
 * the effects of the mutations before it, and of no other.
 */
export class Batch {
  readonly #slots: readonly BatchSlot[]
  readonly #runner: EntryRunner
  readonly #type: BatchType
  readonly #rules: BatchRules
  #started = 0
  #running = 0
  #isMutating = false
  #turn = new Turn()
  #isResting = false
  /** The response is made: nothing is started any more. */
  #isOver = false
  #done: ((response: HttpResponse) => void) | undefined

  constructor(
    entries: readonly Pick<BatchSlot, 'entry' | 'facts'>[],
    runner: EntryRunner,
    type: BatchType,
    rules: BatchRules,
  ) {
    const untouched = { operation: undefined, failure: undefined, result: undefined, headers: [] }
    this.#slots = entries.map((one) => ({ ...one, ...untouched }))
    this.#runner = runner
    this.#type = type
    this.#rules = rules
  }

  /** The response, or the refusal of the whole batch. */
  start(): Reply | Promise<Reply> {
    const waiting: Promise<void>[] = []
    for (const [at, slot] of this.#slots.entries()) {
      if (this.#turn.isOver) return this.#planRest(at, waiting)
      const planned = this.#plan(slot)
      if (planned !== undefined) waiting.push(planned)
    }
    return waiting.length === 0
      ? this.#startAll()
      : Promise.all(waiting).then(() => this.#startAll())
  }

  /** The time is up, or the client is gone: what has not finished fails, and the rest is kept. */
  cancel(cause: CancelCause): HttpResponse {
    const unfinished = this.#slots.filter(({ result }) => result === undefined)
    for (const slot of unfinished) {
      const { failure, facts } = slot
      this.#settle(slot, failure ?? this.#runner.refuse({ kind: 'cancelled', cause }, facts))
    }
    this.#isOver = true
    for (const { facts } of unfinished) facts.cancellation.cancel(new CancelledError(cause))
    return this.#respond()
  }

  #plan(slot: BatchSlot): Promise<void> | undefined {
    return andThen(this.#runner.plan(slot.entry.json, slot.facts), (planned) => {
      if ('text' in planned) slot.failure = planned
      else slot.operation = planned
      return undefined
    })
  }

  async #planRest(from: number, waiting: Promise<void>[]): Promise<Reply> {
    for (const slot of this.#slots.slice(from)) {
      if (this.#turn.isOver) this.#turn = await nextTurn()
      if (this.#isOver) break
      const planned = this.#plan(slot)
      if (planned !== undefined) waiting.push(planned)
    }
    await Promise.all(waiting)
    return this.#startAll()
  }

  #startAll(): Reply | Promise<Reply> {
    // The batch was cancelled meanwhile.
    if (this.#isOver) return this.#respond()
    const refusal = this.#checkCosts()
    if (refusal !== undefined) return refusal
    for (const slot of this.#slots) {
      if (slot.failure !== undefined) this.#settle(slot, slot.failure)
    }
    this.#startNext()
    return this.#isDone ? this.#respond() : new Promise((resolve) => (this.#done = resolve))
  }

  /** A batch is one request: what is limited for each of its operations is limited for all of them, too. */
  #checkCosts(): Refusal | undefined {
    const { maxCost, maxIntrospectionSize } = this.#rules.limits
    let cost = 0
    let introspection = 0
    for (const { operation } of this.#slots) {
      cost += operation?.costs.cost ?? 0
      introspection += operation?.costs.introspectionSize ?? 0
    }
    return cost > maxCost
      ? tooExpensive('cost', maxCost, cost)
      : introspection > maxIntrospectionSize
        ? tooExpensive('introspection', maxIntrospectionSize, introspection)
        : undefined
  }

  get #isDone(): boolean {
    return this.#running === 0 && (this.#isOver || this.#started === this.#slots.length)
  }

  /** Starts all operations that may run now. */
  #startNext(): void {
    for (; this.#started < this.#slots.length && !this.#isOver; this.#started += 1) {
      if (this.#turn.isOver) return void this.#rest()
      const slot = this.#slots[this.#started] as BatchSlot
      const { operation } = slot
      if (slot.result !== undefined || operation === undefined) continue
      const isMutation = operation.definition.operation === 'mutation'
      if (this.#isFull(isMutation)) return
      const reply = this.#runner.run(operation, slot.facts)
      if (isPromise(reply)) void this.#follow(slot, reply, isMutation)
      else this.#settle(slot, reply)
    }
  }

  #isFull(isMutation: boolean): boolean {
    if (this.#running === 0) return false
    return isMutation || this.#isMutating || this.#running >= this.#rules.limits.maxConcurrent
  }

  async #follow(slot: BatchSlot, reply: Promise<EntryReply>, isMutation: boolean): Promise<void> {
    this.#running += 1
    this.#isMutating = isMutation
    const late = await reply
    this.#running -= 1
    this.#isMutating = false
    this.#settle(slot, late)
    this.#proceed()
  }

  async #rest(): Promise<void> {
    if (this.#isResting) return
    this.#isResting = true
    this.#turn = await nextTurn()
    this.#isResting = false
    this.#proceed()
  }

  /** Also if the batch is over: what waits for it learns that its resolvers have ended. */
  #proceed(): void {
    this.#startNext()
    if (this.#isDone) this.#done?.(this.#respond())
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

/** What was found may be Infinity, which JSON cannot represent. */
function tooExpensive(of: 'cost' | 'introspection', limit: number, found: number): Refusal {
  return {
    kind: 'batch-too-expensive',
    of,
    limit,
    found: Math.min(found, Number.MAX_SAFE_INTEGER),
  }
}
