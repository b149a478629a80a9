import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { HostResponse } from '../../hosts/exchange.js'
import { Received } from './received.js'

/** A client that writes exactly the bytes it is told to. */
export interface RawClient {
  readonly socket: Socket
  write(bytes: string | Uint8Array): void
  /** The next answer; undefined when the connection ends before it. */
  next(): Promise<HostResponse | undefined>
  /** The next answer, which must come. */
  answer(): Promise<HostResponse>
  /** Writes, and gives the next answer. */
  ask(bytes: string | Uint8Array): Promise<HostResponse>
  /** Reads on until a text has come; gives what came after the last answer. */
  until(text: string): Promise<string>
  /** Resolves when the server has closed the connection, with what came after the last answer. */
  ended(): Promise<string>
  /** What broke the connection, if anything did. */
  error(): Error | undefined
}

/** Connects to a port of the loopback; `ca` is for TLS. */
export async function rawClient(port: number, ca?: string): Promise<RawClient> {
  const socket =
    ca === undefined ? connect(port, '127.0.0.1') : connectSecure({ port, host: '127.0.0.1', ca })
  const received = new Received(socket)
  const next = (): Promise<HostResponse | undefined> => received.next(parseResponse)
  const answer = async (): Promise<HostResponse> => {
    const found = await next()
    if (found === undefined) throw new Error('The connection ended.')
    return found
  }
  let error: Error | undefined
  socket.on('error', (broken) => (error = broken))
  await once(socket, ca === undefined ? 'connect' : 'secureConnect')
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    next,
    answer,
    ask(bytes) {
      socket.write(bytes)
      return answer()
    },
    until: async (text) => {
      while (!received.bytes.includes(text)) await received.change()
      return received.bytes.toString('latin1')
    },
    ended: () => received.ended(),
    error: () => error,
  }
}

/** The answer at the start of the bytes, by its Content-Length; undefined while it is not whole. */
function parseResponse(bytes: Buffer): { item: HostResponse; size: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const [, status = '', statusText = ''] = /^HTTP\/1\.1 (\d+) (.*)$/.exec(statusLine) ?? []
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const length = Number(headers[headers.indexOf('Content-Length') + 1] ?? 0) || 0
  const size = end + 4 + length
  if (bytes.length < size) return undefined
  const body = bytes.subarray(end + 4, size)
  return { item: { status: Number(status), statusText, headers, body }, size }
}

/** The first lines of a POST of JSON, behind which others may follow. */
export const postLines =
  'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
/** The head of one whose body follows in chunks. */
export const chunkedHead: string = `${postLines}Transfer-Encoding: chunked\r\n\r\n`

export function chunkOf(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

export function postBytes(body: string, headers = '', lines: string = postLines): string {
  return `${lines}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** The same of a body that is not text. */
export function postRaw(body: Uint8Array, headers = ''): Uint8Array {
  const head = `${postLines}${headers}Content-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

/** A request for a text of so many characters, which it sends. */
export function postEcho(length: number): string {
  const variables = { text: 'x'.repeat(length) }
  return postBytes(
    JSON.stringify({ query: 'query ($text: String) { echo(text: $text) }', variables }),
  )
}
