import { randomUUID } from 'node:crypto'
import { createPubSub, type PubSub, type Transport } from '@graphwire/pubsub'
import type { OpenTransport, Way } from './transports.js'

/** Tells other instances that there are changes, and hears it from them. What they are is in the table. */
export interface Announcer {
  announce(): void
  close(): Promise<void>
}

export interface AnnouncerOptions {
  readonly way: Way
  /** Called when another instance has announced changes. */
  readonly onNews: () => void
  /** Receives the first error of an outage. */
  readonly onFault: (fault: unknown) => void
}

interface Topics {
  readonly 'people.changed': { readonly by: string }
}

/** How long a service may take to answer at the start before that is reported, in milliseconds. */
const patience = 2_000

/**
 * Connects in the background. What is not announced is found by polling, so an outage makes changes late and loses none.
 */
export function createAnnouncer({ way, onNews, onFault }: AnnouncerOptions): Announcer {
  const by = randomUUID()
  let pubsub: PubSub<Topics> | undefined
  let isPending = false
  let isPublishing = false
  let isClosed = false
  const report = (cause: unknown): void => {
    if (isClosed) return
    const late = 'changes of other instances arrive up to a second late.'
    onFault(new Error(`${way.name} is unavailable: ${late}`, { cause }))
  }
  const listen = async ({ transport }: OpenTransport): Promise<void> => {
    pubsub = createPubSub({ transport: reporting(transport, report), onGap: 'ignore' })
    const announced = pubsub.subscribe('people.changed', { overflow: 'latest' })
    for await (const one of announced) if (one.by !== by) onNews()
  }
  const slow = setTimeout(() => report(new Error('It has not answered yet.')), patience).unref()
  let opened: OpenTransport | undefined
  way
    .open()
    .then((one) => {
      opened = one
      clearTimeout(slow)
      return isClosed ? one.close() : listen(one)
    })
    .catch(report)
    .finally(() => clearTimeout(slow))

  /** One at a time: those that come meanwhile are announced together. */
  const publish = async (): Promise<void> => {
    isPublishing = true
    while (isPending && pubsub !== undefined) {
      isPending = false
      await pubsub.publish('people.changed', { by }).catch(() => {})
    }
    isPublishing = false
  }
  return {
    announce() {
      isPending = true
      if (!isPublishing && !isClosed) void publish()
    },
    async close() {
      isClosed = true
      pubsub?.close()
      await opened?.close()
    },
  }
}

/** The same transport, which also reports outages. */
function reporting(transport: Transport, report: (cause: unknown) => void): Transport {
  return (receiver) =>
    transport({
      ...receiver,
      lost(cause) {
        report(cause)
        receiver.lost(cause)
      },
    })
}
