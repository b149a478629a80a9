import { inTime, LateError, untilSettled } from './promise.js'

/** Asks something of a service, and rejects if there is no answer in time. */
export type Asker = <Value>(ask: () => Promise<Value>) => Promise<Value>

/** A client may also lose a `ping`, in milliseconds. */
const longestSilence = 30_000

/**
 * After an answer that was late, the service is left alone until it answers to `ping`. Its client would keep every question,
 * and ask them all in the end.
 */
export function createSparing(ping: () => Promise<unknown>, limit: number, who: string): Asker {
  let late: unknown
  return async (ask) => {
    if (late !== undefined) throw late
    try {
      return await inTime(ask(), limit, who)
    } catch (fault) {
      if (fault instanceof LateError && late === undefined) {
        late = fault
        void untilSettled(Promise.resolve().then(ping), longestSilence).then(
          () => (late = undefined),
        )
      }
      throw fault
    }
  }
}
