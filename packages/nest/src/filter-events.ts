import { ResumableEvent, returnSource } from 'graphwire/base'

/** The function of `@Subscription({ filter })`: whether a subscriber gets an event, by its arguments and the context. */
export type EventFilter = (
  this: unknown,
  event: unknown,
  args: unknown,
  context: unknown,
) => unknown

/** Gets what resolvers get: the source, the arguments, the context and the info. */
export type SubscribeResolver = (
  ...given: readonly unknown[]
) => AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown>>

/** The events that pass. A filter that fails ends the stream, since to go on would hide events. */
export function filterEvents(
  source: AsyncIterable<unknown>,
  passes: (event: unknown) => unknown,
): AsyncIterable<unknown> {
  const events = source[Symbol.asyncIterator]()
  const filtered: AsyncIterator<unknown> = {
    async next() {
      for (;;) {
        const step = await events.next()
        if (step.done === true) return step
        const isResumable = step.value instanceof ResumableEvent
        const event: unknown = isResumable ? (step.value as ResumableEvent).event : step.value
        // One that is only an id is for the client.
        if (isResumable && event === undefined) return step
        try {
          if (await passes(event)) return step
        } catch (bug) {
          void returnSource(events)
          throw bug
        }
      }
    },
    // At once, also while an event is awaited, which a generator could not.
    return: () => events.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  }
  return { [Symbol.asyncIterator]: () => filtered }
}
