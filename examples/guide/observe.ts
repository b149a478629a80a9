import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import { pathOf, type TraceMessages, type TracingChannelOf } from 'graphwire'

function channelOf<Name extends keyof TraceMessages>(name: Name): TracingChannelOf<Name> {
  return tracingChannel(name) as TracingChannelOf<Name>
}

export interface Access {
  readonly method: string
  readonly path: string
  readonly status: number
}

export function onAccess(report: (access: Access) => void): () => void {
  const requests = channelOf('graphwire:request')
  const answered = ({ head, target, result }: TraceMessages['graphwire:request']): void => {
    if (result) report({ method: head.method, path: pathOf(target), status: result.status })
  }
  const subscribers = { end: answered, asyncEnd: answered }
  requests.subscribe(subscribers)
  return () => requests.unsubscribe(subscribers)
}

export function storeIds(createId: () => string): () => string | undefined {
  const ids = new AsyncLocalStorage<string>()
  channelOf('graphwire:request').start.bindStore(ids, createId)
  return () => ids.getStore()
}

export type Phase = 'parse' | 'validate' | 'execute'

export function onPhase(report: (phase: Phase, ms: number) => void): () => void {
  const stops = (['parse', 'validate', 'execute'] as const).map((phase) => {
    const channel = channelOf(`graphql:${phase}`)
    const starts = new WeakMap<object, number>()
    const start = (message: object): void => void starts.set(message, performance.now())
    const finish = (message: { result?: unknown; error?: unknown }): void => {
      if (message.result === undefined && message.error === undefined) return
      report(phase, performance.now() - (starts.get(message) ?? 0))
    }
    const subscribers = { start, end: finish, asyncEnd: finish }
    channel.subscribe(subscribers)
    return () => channel.unsubscribe(subscribers)
  })
  return () => {
    for (const stop of stops) stop()
  }
}
