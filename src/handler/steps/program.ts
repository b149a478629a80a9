import type { GraphQLError, GraphQLFormattedError } from 'graphql'
import { isPromise, untilSettled } from '../../base/promise.js'
import { formatFieldErrors } from '../../graphql/errors/format-errors.js'
import { Cancellation } from '../../graphql/execute/cancellation.js'
import type { Events, Whole } from '../../graphql/execute/result.js'
import { reportBug } from '../../options/report.js'
import type { Settings } from '../../options/settings.js'
import type { Refusal } from '../../over-http/refusals.js'
import {
  describeRefusal,
  encode,
  encodeErrors,
  toError,
  checkLength,
} from '../../over-http/response/respond.js'
import type { EndCause } from '../../streams/end-cause.js'
import type { Program } from '../../streams/program.js'
import type { Streams } from '../../streams/streams.js'
import { abortedWork, CancelledError } from '../road/cancelled-error.js'
import type { Facts } from '../road/facts.js'
import { extendResult } from './describe-reply.js'

/** How the results of a stream are written. What they throw is a bug, and becomes a refusal. */
export interface ResultFormat<Out extends Whole = Whole> {
  result(this: void, result: Out, facts: Facts): string
  /** In place of a result. */
  refusal(this: void, refusal: Refusal): string
  /** Why the stream ends: the errors of its source, or one of `ends`. */
  end(this: void, errors: readonly GraphQLFormattedError[]): string
  /** How a result without errors begins; undefined if no result is shared by streams. */
  readonly success: string | undefined
}

/** As GraphQL has them: results with data or errors, and a list of errors at the end. */
export function graphqlFormat(settings: Settings): ResultFormat {
  return {
    result(result, facts) {
      // The default `onBug` prints a few bugs of each request; here, of each event.
      const own = result.errors.length === 0 ? facts : { ...facts }
      const operationName = facts.operation?.name?.value
      const errors = formatFieldErrors(result.errors, operationName, settings, own)
      return encode(extendResult(result, errors, settings, own), errors)
    },
    refusal: (refusal) => encodeErrors([toError(describeRefusal(refusal, settings.edition))]),
    end: (errors) => JSON.stringify(errors),
    // What hooks add may be different for each client.
    success: settings.responseExtensions.length === 0 ? '{"data":' : undefined,
  }
}

/** What the subscriptions of a surface share. */
export interface SubscriptionKit<Out extends Whole = Whole> {
  readonly settings: Settings
  readonly streams: Streams
  readonly format: ResultFormat<Out>
}

/**
 * The program of a subscription: how each event becomes a result. Everything that applies to results of queries
 * applies to each event: masking, the time limit, and the maximum length.
 */
export class SubscriptionProgram<Out extends Whole> implements Program {
  readonly field: string
  readonly operationName: string | undefined
  readonly client: string | undefined
  readonly source: AsyncIterator<unknown>
  readonly #events: Events<Out>
  readonly #facts: Facts
  readonly #kit: SubscriptionKit<Out>
  /** That of the event that is being executed, or of the last one. */
  #current: Cancellation | undefined
  /** The execution of that event, while it waits. */
  #running: Promise<Out> | undefined

  constructor(events: Events<Out>, facts: Facts, kit: SubscriptionKit<Out>) {
    this.field = events.field
    this.operationName = facts.operation?.name?.value
    this.client = kit.settings.clientOf(facts.head)
    this.source = events.source
    this.#events = events
    this.#facts = facts
    this.#kit = kit
  }

  /**
   * Streams with the same selection and variables share one execution of an event if that can make no difference:
   * see `pure-selection.ts`.
   */
  play(event: unknown): string | Promise<string> {
    const { shareKey } = this.#events
    if (shareKey === undefined) return this.#execute(event)
    const { streams, format } = this.#kit
    const shared = streams.results.find(event, shareKey)
    if (shared !== undefined) return shared
    const result = this.#execute(event)
    // Errors have ids of their own.
    if (typeof result === 'string' && format.success && result.startsWith(format.success)) {
      streams.results.keep(event, shareKey, result)
    }
    return result
  }

  describeFailure(bug: unknown): string {
    return this.#kit.format.end(isLoss(bug) ? [eventsLost] : this.#formatFailure(bug))
  }

  describeEnd(cause: EndCause): string | undefined {
    const error = ends[cause]
    return error && this.#kit.format.end([error])
  }

  stop(cause: EndCause): Promise<void> | undefined {
    const reason = new CancelledError(cause)
    this.#facts.cancellation.cancel(reason)
    this.#current?.cancel(reason)
    const rest = this.#running?.then(undefined, abortedWork)
    return rest && untilSettled(rest, this.#kit.settings.executionTimeout)
  }

  #execute(event: unknown): string | Promise<string> {
    const cancellation = new Cancellation()
    this.#current = cancellation
    try {
      const result = this.#events.run(event, cancellation)
      return isPromise(result) ? this.#inTime(result, cancellation) : this.#toText(result)
    } catch (bug) {
      return this.#describeBug(bug)
    }
  }

  #toText(result: Out): string {
    const { format, settings } = this.#kit
    const text = format.result(result, this.#facts)
    checkLength(text, this.operationName, settings)
    return text
  }

  /** The masked error in place of a result. */
  #describeBug(bug: unknown): string {
    const { format, settings } = this.#kit
    return format.refusal({ kind: 'internal', id: reportBug(settings, bug, { ...this.#facts }) })
  }

  #inTime(work: Promise<Out>, cancellation: Cancellation): Promise<string> {
    const { format, settings } = this.#kit
    this.#running = work
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve(format.refusal({ kind: 'cancelled', cause: 'timed-out' }))
        cancellation.cancel(new CancelledError('timed-out'))
      }, settings.executionTimeout)
      const done = (describe: () => string): void => {
        clearTimeout(timer)
        if (this.#running === work) this.#running = undefined
        // The stream has ended, or the time was up.
        if (cancellation.aborted) return resolve('')
        try {
          resolve(describe())
        } catch (bug) {
          resolve(this.#describeBug(bug))
        }
      }
      work.then(
        (result) => done(() => this.#toText(result)),
        (bug: unknown) => done(() => this.#describeBug(bug)),
      )
    })
  }

  #formatFailure(bug: unknown): readonly GraphQLFormattedError[] {
    const { settings } = this.#kit
    try {
      const errors = [bug as GraphQLError]
      return formatFieldErrors(errors, this.operationName, settings, this.#facts)
    } catch (fault) {
      // Of `formatError`, for example; the stream must end all the same.
      const id = reportBug(settings, fault, this.#facts)
      return [toError(describeRefusal({ kind: 'internal', id }, settings.edition))]
    }
  }
}

/** A channel of `@graphwire/pubsub` ended because its reader was too slow, or its transport lost the connection. */
function isLoss(bug: unknown): boolean {
  return bug instanceof Error && (bug as { readonly code?: unknown }).code === 'EVENTS_LOST'
}

/** Neither a bug nor a secret: the client can subscribe again. */
const eventsLost = toEnd('EVENTS_LOST', 'Events were lost: subscribe again.')

const tooLong = 'The stream was open for as long as the server allows: connect again.'

/** The errors that clients see if a stream ends early. */
export const ends: { readonly [cause in EndCause]?: GraphQLFormattedError } = {
  expired: toEnd('UNAUTHENTICATED', 'The credentials have expired or were revoked.'),
  shutdown: toEnd('SERVER_SHUTDOWN', 'The server is shutting down: connect again.'),
  interrupted: toEnd('EVENTS_LOST', 'Events were lost: connect again.'),
  'too-long': toEnd('STREAM_TOO_LONG', tooLong),
}

function toEnd(code: string, message: string): GraphQLFormattedError {
  return { message, extensions: { code } }
}
