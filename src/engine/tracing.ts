import type { Channel, TracingChannel } from 'node:diagnostics_channel'
import { isPromise } from '../promise.js'

/** The channels the engine publishes on; undefined where the runtime has no diagnostics_channel. */
export interface Channels {
  readonly parse: TracingChannel | undefined
  readonly validate: TracingChannel | undefined
  readonly execute: TracingChannel | undefined
}

/** The channels under the names that graphql 17 uses, so that one subscriber serves both majors. */
export function graphqlChannels(): Channels {
  return {
    parse: tracingChannel('graphql:parse'),
    validate: tracingChannel('graphql:validate'),
    execute: tracingChannel('graphql:execute'),
  }
}

/** Finds the channel without importing a `node:` module, so that the fetch host loads anywhere. */
export function tracingChannel(name: string): TracingChannel | undefined {
  return globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')?.tracingChannel(name)
}

/** Finds a channel for single messages. */
export function messageChannel(name: string): Channel | undefined {
  return globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')?.channel(name)
}

/** Whether anybody listens; asked before anything is allocated for a trace. */
export function isTraced(channel: TracingChannel | undefined): channel is TracingChannel {
  if (channel === undefined) return false
  // The aggregate came with Node 20.13 and 22; five flags say the same.
  return channel.hasSubscribers ?? subChannels.some((name) => channel[name].hasSubscribers)
}

const subChannels = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const

/**
 * Runs `work` inside a trace. Node's `tracePromise` makes a promise of every result; this keeps a
 * synchronous one synchronous, with the events of `traceSync`.
 */
export function trace<Result>(
  channel: TracingChannel | undefined,
  describe: () => object,
  work: () => Result,
): Result {
  if (!isTraced(channel)) return work()
  const message = describe() as { result?: unknown; error?: unknown }
  return channel.start.runStores(message, () => {
    let result: Result
    try {
      result = work()
      if (!isPromise(result)) message.result = result
    } catch (error) {
      message.error = error
      channel.error.publish(message)
      throw error
    } finally {
      channel.end.publish(message)
    }
    if (!isPromise(result)) return result
    return result.then(
      (value) => {
        message.result = value
        publishSettled(channel, message)
        return value
      },
      (error: unknown) => {
        message.error = error
        channel.error.publish(message)
        publishSettled(channel, message)
        throw error
      },
    ) as Result
  })
}

/** The end of asynchronous work: both events at once, since nothing runs between them here. */
export function publishSettled(channel: TracingChannel, message: object): void {
  channel.asyncStart.publish(message)
  channel.asyncEnd.publish(message)
}
