import { tracingChannel, type TracingChannelSubscribers } from 'node:diagnostics_channel'

type Listeners = Partial<TracingChannelSubscribers<object>>

/** Subscribes to a tracing channel; returns how to stop. */
export function subscribe(name: string, listeners: Listeners): () => void {
  const channel = tracingChannel(name)
  const all = { ...silent, ...listeners }
  channel.subscribe(all)
  return () => {
    channel.unsubscribe(all)
  }
}

const silent: TracingChannelSubscribers<object> = {
  start: ignore,
  end: ignore,
  asyncStart: ignore,
  asyncEnd: ignore,
  error: ignore,
}

function ignore(): void {
  // A channel requires all five.
}
