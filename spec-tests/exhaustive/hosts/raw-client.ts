import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { HostResponse } from '../../hosts/exchange.js'

/** A client that writes exactly the bytes it is told to. */
export interface RawClient {
  readonly socket: Socket
  write(bytes: string | Uint8Array): void
  /** The next answer; undefined when the connection ends before it. */
  next(): Promise<HostResponse | undefined>
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
  let received = Buffer.alloc(0)
  let over = false
  let error: Error | undefined
  let changed: (() => void) | undefined
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    changed?.()
  })
  const change = (): Promise<void> => new Promise((resolve) => (changed = resolve))
  const finish = (): void => {
    over = true
    changed?.()
  }
  socket.on('error', (broken) => (error = broken))
  socket.on('end', finish).on('close', finish)
  await once(socket, ca === undefined ? 'connect' : 'secureConnect')

  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    next: async () => {
      for (;;) {
        const parsed = parseResponse(received)
        if (parsed !== undefined) {
          received = received.subarray(parsed.size)
          return parsed.answer
        }
        if (over) return undefined
        await change()
      }
    },
    until: async (text) => {
      while (!received.includes(text)) await change()
      return received.toString('latin1')
    },
    ended: async () => {
      while (!over) await change()
      return received.toString('latin1')
    },
    error: () => error,
  }
}

/** The answer at the start of the bytes, by its Content-Length; undefined while it is not whole. */
function parseResponse(bytes: Buffer): { answer: HostResponse; size: number } | undefined {
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
  return { answer: { status: Number(status), statusText, headers, body }, size }
}

/** The bytes of a POST with a JSON body. */
export function postBytes(body: string, headers = ''): string {
  return (
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
    `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}
