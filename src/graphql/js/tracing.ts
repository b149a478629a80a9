import type { Channel, TracingChannel } from 'node:diagnostics_channel'
import { isPromise } from '../../base/promise.js'

/** Whether an engine publishes on the channels of graphql. */
export interface ChannelSettings {
  readonly channels: boolean
}

/** A channel with the name of graphql 17, so that one subscriber works with both majors. */
export function graphqlChannel(
  stage: 'parse' | 'validate' | 'execute' | 'subscribe',
  { channels }: ChannelSettings,
): TracingChannel | undefined {
  return channels ? tracingChannel(`graphql:${stage}`) : undefined
}

/** Finds a channel without importing a `node:` module, so that the fetch host loads in any runtime. */
export function tracingChannel(name: string): TracingChannel | undefined {
  return globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')?.tracingChannel(name)
}

export function messageChannel(name: string): Channel | undefined {
  return globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')?.channel(name)
}

/** Whether there are subscribers; checked before anything is allocated for a trace. */
export function isTraced(channel: TracingChannel | undefined): channel is TracingChannel {
  if (channel === undefined) return false
  // Node 20.13 and 22 added `hasSubscribers`; before that, check the five channels.
  return channel.hasSubscribers ?? subChannels.some((name) => channel[name].hasSubscribers)
}

const subChannels = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const

/** Runs work in a context: what a subscriber of `start` may add to a message. */
export type Around = <Value>(work: () => Value) => Value

/** A message that a subscriber of `start` may change. */
export interface Surrounded {
  /**
   * Set by a subscriber of `start`: it gets the work, and must call it and return its value. For contexts that are not
   * those of an `AsyncLocalStorage`, which `bindStore` takes.
   */
  around?: Around
}

/** Follows the executions of one request, as if it had subscribed to their channel. */
export interface ExecutionFollower {
  execute?(message: Surrounded): (() => void) | undefined
}

/** Publishes `start`, and runs the work in the contexts of its subscribers. */
export function startTrace<Value>(
  channel: TracingChannel | undefined,
  message: Surrounded,
  work: () => Value,
): Value {
  const surrounded = (): Value => (message.around === undefined ? work() : message.around(work))
  return channel === undefined ? surrounded() : channel.start.runStores(message, surrounded)
}

/**
 * Runs `work` inside a trace. Unlike `tracePromise` of Node, which turns every result into a promise,
 * synchronous results stay synchronous and have the events of `traceSync`.
 */
export function trace<Result>(
  channel: TracingChannel | undefined,
  described: object,
  work: () => Result,
  followers: readonly ExecutionFollower[] = [],
): Result {
  const message = described as Surrounded & { result?: unknown; error?: unknown }
  const ends = followers.map((follower) => follower.execute?.(message))
  const settle = (): void => {
    for (const end of ends) end?.()
  }
  return startTrace(channel, message, () => {
    let result: Result
    try {
      result = work()
      if (!isPromise(result)) message.result = result
    } catch (error) {
      message.error = error
      channel?.error.publish(message)
      throw error
    } finally {
      channel?.end.publish(message)
      if ('result' in message || 'error' in message) settle()
    }
    if (!isPromise(result)) return result
    return result.then(
      (value) => {
        message.result = value
        publishSettled(channel, message)
        settle()
        return value
      },
      (error: unknown) => {
        message.error = error
        channel?.error.publish(message)
        publishSettled(channel, message)
        settle()
        throw error
      },
    ) as Result
  })
}

/** The end of asynchronous work: both events at once, since nothing runs between them here. */
export function publishSettled(channel: TracingChannel | undefined, message: object): void {
  channel?.asyncStart.publish(message)
  channel?.asyncEnd.publish(message)
}
