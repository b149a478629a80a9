import { tracingChannel } from 'node:diagnostics_channel'
import type { TraceMessages, TraceSubscribers, TracingChannelOf } from 'graphwire'

/** Subscribes to a channel; returns a function that unsubscribes. */
export function subscribe<Name extends keyof TraceMessages>(
  name: Name,
  subscribers: TraceSubscribers<Name>,
): () => void {
  const channel = tracingChannel(name) as TracingChannelOf<Name>
  channel.subscribe(subscribers)
  return () => channel.unsubscribe(subscribers)
}
