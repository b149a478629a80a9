import type { Channel, PubSubError } from '@graphwire/pubsub'

/** What a channel gives without waiting: its events, then how it ended, if it did. */
export function drain(channel: Channel<unknown>): readonly unknown[] {
  const events: unknown[] = []
  try {
    for (let result = channel.poll(); result !== undefined; result = channel.poll()) {
      if (result.done === true) return [...events, 'end']
      events.push(result.value)
    }
  } catch (error) {
    events.push((error as PubSubError).code ?? String(error))
  }
  return events
}
