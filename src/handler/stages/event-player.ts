import type { GraphQLFormattedError } from 'graphql'
import { isPromise } from '../../base/promise.js'
import { Cancellation } from '../../graphql/execute/cancellation.js'
import type { Events, Whole } from '../../graphql/execute/result.js'
import { reportBug } from '../../options/report.js'
import type { Settings } from '../../options/settings.js'
import type { Refusal } from '../../over-http/refusal.js'
import { checkLength } from './check-length.js'
import { CancelledError } from './deadline.js'
import type { Exchange } from './exchange.js'

/** How the results of a stream are written. What they throw is a bug, and becomes a refusal. */
export interface ResultFormat<Out extends Whole = Whole> {
  result(this: void, result: Out): string
  /** In place of a result. */
  refusal(this: void, refusal: Refusal): string
  /** Why the stream ends: the errors of its source, or one of `ends`. */
  end(this: void, errors: readonly GraphQLFormattedError[]): string
}

/** Executes the events of a stream, one after the other. */
export interface EventPlayer {
  /** Neither throws nor rejects, and ends in time: faults are results, too. */
  play(this: void, event: unknown): string | Promise<string>
  /** Cancels the event that is being executed. */
  cancel(this: void, reason: CancelledError): void
}

export function createEventPlayer<Out extends Whole>(
  events: Events<Out>,
  exchange: Exchange,
  settings: Settings,
  format: ResultFormat<Out>,
): EventPlayer {
  let current: Cancellation | undefined
  return {
    play(event) {
      const cancellation = new Cancellation()
      current = cancellation
      try {
        const result = events.run(event, cancellation)
        return isPromise(result) ? inTime(result, cancellation) : toText(result)
      } catch (bug) {
        return describeBug(bug)
      }
    },
    cancel: (reason) => current?.cancel(reason),
  }

  function toText(result: Out): string {
    const text = format.result(result)
    checkLength(text, exchange.operation?.name?.value, settings)
    return text
  }

  /** A result that says that there is none. */
  function describeBug(bug: unknown): string {
    return format.refusal({ kind: 'internal', id: reportBug(settings, bug, { ...exchange }) })
  }

  function inTime(work: Promise<Out>, cancellation: Cancellation): Promise<string> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve(format.refusal({ kind: 'cancelled', cause: 'timed-out' }))
        cancellation.cancel(new CancelledError('timed-out'))
      }, settings.executionTimeout)
      const done = (describe: () => string): void => {
        clearTimeout(timer)
        // The stream has ended, or the time was up.
        if (cancellation.aborted) return resolve('')
        try {
          resolve(describe())
        } catch (bug) {
          resolve(describeBug(bug))
        }
      }
      work.then(
        (result) => done(() => toText(result)),
        (bug: unknown) => done(() => describeBug(bug)),
      )
    })
  }
}
