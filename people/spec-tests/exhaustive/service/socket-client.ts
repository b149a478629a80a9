import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Json } from '../../schema/serve-schema.js'
import { until, type Headers, type Started } from './started.js'

/** A message of graphql-transport-ws. */
interface Message {
  readonly type: string
  readonly id?: string
  readonly payload?: Json
}

/** Connects with the headers of a handshake and the payload of an init; resolves when it is in or out. */
export async function connectSocket({ origin }: Started, headers: Headers = {}, payload?: Headers) {
  const url = `${origin.replace('http', 'ws')}/graphql`
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers })
  const messages: Message[] = []
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)))
  const tell = (message: Message): void => socket.send(JSON.stringify(message))
  const of = (id: string): readonly Message[] => messages.filter((message) => message.id === id)
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as Message))
  await once(socket, 'open')
  tell({ type: 'connection_init', ...(payload && { payload }) })
  await Promise.race([once(socket, 'message'), closed])
  return {
    messages,
    isIn: messages[0]?.type === 'connection_ack',
    subscribe: (id: string, query: string) => tell({ type: 'subscribe', id, payload: { query } }),
    tell,
    /** The messages with an id, once there are so many. */
    until: (id: string, count: number) =>
      until(() => (of(id).length >= count ? of(id) : undefined)),
    /** The code of the server when it has closed the socket. */
    closed,
    leave: () => socket.terminate(),
  }
}

/** The status that refuses a handshake. */
export function refusedWith({ origin }: Started, path: string, headers: Headers): Promise<number> {
  const url = origin.replace('http', 'ws') + path
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers })
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode))
    socket.on('open', () => reject(new Error('The socket was opened.')))
    socket.on('error', () => undefined)
  })
}
