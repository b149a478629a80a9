import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { createSplitter } from '../../../browser/follow.js'
import type { Json } from '../../schema/serve-schema.js'
import type { Headers, Started } from './started.js'

/** An event of a stream, as the client of an EventSource sees it. */
interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: Json
}

/** What to follow: a route, or a subscription of GraphQL. */
export type Followed = `/${string}` | `subscription ${string}`

/** A client that follows a stream, and keeps what it has seen over several connections. */
export type Follower = ReturnType<typeof follower>

/** Follows like an EventSource: each connection says which event was the last one. */
export function follower(followed: Followed, headers: Headers = {}) {
  const events: StreamEvent[] = []
  let lastEventId: string | undefined
  let asked: ClientRequest | undefined
  let ended: Promise<void> = Promise.resolve()
  let text = ''
  const read = (incoming: IncomingMessage): Promise<void> => {
    const split = createSplitter()
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (const { id, event = 'message', data = '' } of split(chunk)) {
        lastEventId = id ?? lastEventId
        if (data !== '') events.push({ id: lastEventId ?? '', event, data: JSON.parse(data) })
      }
    })
    return new Promise((resolve) => incoming.on('error', () => {}).on('close', resolve))
  }
  return {
    events,
    ids: () => events.map(({ id }) => Number(id)),
    text: () => text,
    ended: () => ended,
    /** Resolves when the stream is open, or with the status that refused it. */
    connect(to: Started): Promise<number> {
      const isRoute = followed.startsWith('/')
      asked = request(to.origin + (isRoute ? followed : '/graphql'), {
        method: isRoute ? 'GET' : 'POST',
        headers: {
          ...headers,
          Accept: 'text/event-stream',
          ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
          ...(!isRoute && { 'Content-Type': 'application/json' }),
        },
        agent: false,
      }).end(isRoute ? '' : JSON.stringify({ query: followed }))
      return new Promise((resolve, reject) => {
        asked?.on('error', reject).on('response', (incoming) => {
          ended = read(incoming)
          // The first byte says that it is open.
          if (incoming.statusCode === 200) incoming.once('data', () => resolve(200))
          else resolve(incoming.statusCode ?? 0)
        })
      })
    },
    leave: () => void asked?.destroy(),
  }
}
