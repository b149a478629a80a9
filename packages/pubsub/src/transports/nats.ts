import { checkOptions } from 'graphwire/base'
import { Presence } from './presence.js'
import { checkSize, clientWith, type Transport } from './transport.js'

/** The part of a NATS connection (`@nats-io/transport-node` 3, `@nats-io/nats-core`) that is used. */
export interface NatsConnection {
  readonly info?: { readonly max_payload: number } | undefined
  publish(subject: string, payload: string): void
  subscribe(
    subject: string,
    options: { callback: (error: Error | null, message: { string(): string }) => void },
  ): { unsubscribe(): void }
  flush(): Promise<void>
  status(): AsyncIterable<{ readonly type: string }>
  isClosed(): boolean
}

/** A subscription of the server. Reconnecting keeps it, also if its first confirmation was lost. */
interface Subscription {
  source?: { unsubscribe(): void }
  isConfirmed: boolean
  refusal?: Error
}

/** A transport over core NATS. The connection must not be made with `noEcho`: an instance hears its own events from NATS. */
export function natsTransport(connection: NatsConnection): Transport {
  const methods = ['publish', 'subscribe', 'flush', 'status', 'isClosed']
  checkOptions('natsTransport', connection, clientWith('await connect()', methods))
  return (receiver) => {
    const presence = new Presence('NATS', receiver)
    const stop = watch(connection, presence)
    const subscriptions = new Map<string, Subscription>()
    const subscribe = (name: string): Subscription => {
      const one: Subscription = { isConfirmed: false }
      subscriptions.set(name, one)
      one.source = connection.subscribe(toSubject(name), {
        callback(error, message) {
          if (error === null) return receiver.text(name, message.string())
          // The subscription is over, such as for lack of rights.
          subscriptions.delete(name)
          one.refusal = error
          if (one.isConfirmed) presence.interrupted(error)
        },
      })
      return one
    }
    return {
      publish: (name, text) =>
        presence.send(async () => {
          checkSize(name, text, connection.info?.max_payload ?? Infinity, 'the NATS server accepts')
          connection.publish(toSubject(name), text)
          // The response to a ping says that the server has the event.
          await connection.flush()
        }),
      async listen(name) {
        const one = subscriptions.get(name) ?? subscribe(name)
        await connection.flush()
        if (one.refusal !== undefined) throw one.refusal
        one.isConfirmed = true
      },
      async unlisten(name) {
        subscriptions.get(name)?.source?.unsubscribe()
        subscriptions.delete(name)
      },
      close() {
        stop()
        for (const { source } of subscriptions.values()) source?.unsubscribe()
      },
    }
  }
}

/**
 * Escapes what has a meaning in subjects: wildcards, without which an id of a client could name the topics of others,
 * blanks, and dots that make an empty token.
 */
function toSubject(name: string): string {
  return name
    .replace(/[\s%*>]/g, (character) => encodeURIComponent(character).replace('*', '%2A'))
    .replace(/^\.|\.(?=\.|$)/g, '%2E')
}

/** Follows the state of a connection. Returns a function that stops it. */
function watch(connection: NatsConnection, presence: Presence): () => void {
  let isOver = false
  const statuses = connection.status()
  const follow = async (): Promise<void> => {
    for await (const { type } of statuses) {
      if (isOver) return
      if (type === 'reconnect') presence.regained()
      if (type === 'disconnect' || type === 'close') {
        presence.lost(new Error('The connection was lost.'))
      }
    }
    if (!isOver) presence.lost(new Error('The connection was closed.'))
  }
  follow().catch((cause: unknown) => presence.lost(cause))
  if (connection.isClosed()) presence.lost(new Error('The connection was closed.'))
  else presence.regained()
  return () => {
    isOver = true
    ;(statuses as { stop?: () => void }).stop?.()
  }
}
