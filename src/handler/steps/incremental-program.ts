import type { GraphQLError, GraphQLFormattedError } from 'graphql'
import { returnSource } from '../../base/promise.js'
import { Turns } from '../../base/turns.js'
import { formatFieldErrors } from '../../graphql/errors/format-errors.js'
import type { Operation } from '../../graphql/execute/operation.js'
import { formatPart, isIdle, PendingIds, type Part } from '../../graphql/execute/parts.js'
import type { Incremental } from '../../graphql/execute/result.js'
import { rootFields } from '../../graphql/limits/root-fields.js'
import { reportBug } from '../../options/report.js'
import type { Settings } from '../../options/settings.js'
import { describeRefusal, toError, checkLength } from '../../over-http/response/respond.js'
import type { Program } from '../../streams/program.js'
import { CancelledError } from '../road/cancelled-error.js'
import type { Facts } from '../road/facts.js'
import { extendPart } from './describe-reply.js'
import { ends, type SubscriptionKit } from './program.js'

/**
 * The program of a result in parts. The first part is formatted at once, so that the errors in it are known when
 * the head is sent. A fault after that fails its source: everything that is pending is completed with an error, except in the
 * older format, which cannot say that: the end of the body is missing. The program counts as a stream.
 */
export function createIncrementalProgram(
  result: Incremental,
  operation: Operation,
  { settings, streams }: Pick<SubscriptionKit, 'settings' | 'streams'>,
  facts: Facts,
): Program {
  const { definition, document, params } = operation
  const operationName = definition.name?.value
  const [field = ''] = rootFields(definition, document.fragments, params.variables ?? {})
  const client = settings.clientOf(facts.head)
  const pending = new PendingIds()
  const source = new PartSource(firstText(), result.parts, {
    timeout: settings.incrementalTimeout,
    client,
    encode,
    cancel: (reason) => facts.cancellation.cancel(reason),
  })
  streams.keep(source, operation, client)
  return {
    field,
    operationName,
    client,
    source,
    play: (text) => text as string,
    describeFailure: (bug) => JSON.stringify([describeFault(bug, facts, settings)]),
    describeEnd: (cause) => ends[cause] && JSON.stringify([ends[cause]]),
    close: (errors) =>
      result.format === 'v0.2'
        ? JSON.stringify(pending.close(JSON.parse(errors) as readonly GraphQLFormattedError[]))
        : undefined,
    stop(cause) {
      facts.cancellation.cancel(new CancelledError(cause))
      return result.work.rest(settings.incrementalTimeout)
    },
  }

  function firstText(): string {
    try {
      facts.errors = formatErrors(result.initial.errors ?? [])
      return encode(result.initial, facts.errors)
    } catch (bug) {
      void returnSource(result.parts)
      throw bug
    }
  }

  function encode(part: Part, formatted?: readonly GraphQLFormattedError[]): string {
    const format = (errors: readonly GraphQLError[]): readonly GraphQLFormattedError[] =>
      errors === part.errors && formatted !== undefined ? formatted : formatErrors(errors)
    const text = JSON.stringify(extendPart(formatPart(part, format), settings, facts))
    checkLength(text, operationName, settings)
    pending.note(part)
    return text
  }

  function formatErrors(errors: readonly GraphQLError[]): readonly GraphQLFormattedError[] {
    // The error of an operation that was stopped is at each field after that.
    return formatFieldErrors([...new Set(errors)], operationName, settings, facts)
  }
}

function describeFault(bug: unknown, facts: Facts, settings: Settings): GraphQLFormattedError {
  const refusal =
    bug instanceof CancelledError
      ? ({ kind: 'cancelled', cause: 'timed-out' } as const)
      : ({ kind: 'internal', id: reportBug(settings, bug, facts) } as const)
  return toError(describeRefusal(refusal, settings.edition))
}

interface PartRules {
  /** The time limit for all parts, in milliseconds. */
  readonly timeout: number
  /** Whose results take turns as one. */
  readonly client: string | undefined
  /** Throws if the part cannot be written. */
  readonly encode: (part: Part) => string
  readonly cancel: (reason: unknown) => void
}

/** A reader that waits for the next part. */
interface WaitingPart {
  readonly resolve: (next: IteratorResult<string>) => void
  readonly reject: (bug: unknown) => void
}

/** Deferred work of hundreds of results may start at once: a turn of the event loop ends after 10 ms. */
const turns = /* @__PURE__ */ new Turns(Infinity, 1, 10)

/** The parts of a result as texts, in time. Whatever the execution does after the end is ignored. */
class PartSource implements AsyncIterator<string> {
  readonly #first: string
  readonly #parts: AsyncIterator<Part>
  readonly #rules: PartRules
  #state: 'first' | 'second' | 'open' | 'over' = 'first'
  /** Why it ended early. */
  #fault: { readonly bug: unknown } | undefined
  #waiting: WaitingPart | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(first: string, parts: AsyncIterator<Part>, rules: PartRules) {
    this.#first = first
    this.#parts = parts
    this.#rules = rules
  }

  next(): Promise<IteratorResult<string>> {
    if (this.#state === 'first') {
      this.#state = 'second'
      const expire = (): void => this.#fail(new CancelledError('timed-out'))
      this.#timer = setTimeout(expire, this.#rules.timeout)
      return Promise.resolve({ done: false, value: this.#first })
    }
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      if (this.#state === 'over') return this.#settle()
      if (this.#state === 'open') return this.#pull()
      this.#state = 'open'
      // Deferred work starts with the first pull, and may block: the first part leaves before.
      void turns.another(this.#rules.client).then(() => this.#pull())
    })
  }

  /** Ends the execution; the promise waits for it. */
  return(): Promise<IteratorResult<string>> {
    this.#over()
    const over = { done: true, value: undefined } as const
    return Promise.resolve(returnSource(this.#parts)).then(() => over)
  }

  #pull(): void {
    if (this.#state !== 'open') return
    this.#parts.next().then(this.#take, this.#fail)
  }

  readonly #take = (next: IteratorResult<Part>): void => {
    if (this.#state !== 'open') return
    if (next.done === true) {
      this.#over()
      return this.#settle()
    }
    const part = next.value
    if (isIdle(part)) return this.#pull()
    let value: string
    try {
      value = this.#rules.encode(part)
    } catch (bug) {
      return this.#fail(bug)
    }
    if (!part.hasNext) clearTimeout(this.#timer)
    this.#give({ done: false, value })
  }

  readonly #fail = (bug: unknown): void => {
    if (this.#state === 'over') return
    this.#over()
    this.#fault = { bug }
    this.#rules.cancel(bug instanceof CancelledError ? bug : new CancelledError('source-failed'))
    void returnSource(this.#parts)
    this.#settle()
  }

  #over(): void {
    this.#state = 'over'
    clearTimeout(this.#timer)
  }

  /** Passes the end to the waiting reader. */
  #settle(): void {
    if (this.#fault === undefined) this.#give({ done: true, value: undefined })
    else this.#waiting?.reject(this.#fault.bug)
  }

  #give(next: IteratorResult<string>): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve(next)
  }
}
