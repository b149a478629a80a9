import { createServer as createHttp2Server } from 'node:http2'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { runConformance, type ConformanceOptions } from '../../../../src/conformance/run/run.js'
import { createEndpoint } from '../../../../src/handler/handler.js'
import type { Incoming } from '../../../../src/hosts/node/exchange/incoming.js'
import { createHostServer, toNodeListener } from '../../../../src/hosts/node/index.js'
import type { DualListener, ServeOptions } from '../../../../src/hosts/node/index.js'
import { createWebSocketHost } from '../../../../src/hosts/node/websocket/index.js'
import { readBody } from '../../../../src/http/message.js'
import type { Handler, HttpResponse, RequestHead } from '../../../../src/http/message.js'
import { createStandardSchema } from '../../../../src/standard/standard-schema.js'
import { close, listen as listenOn } from '../../../hosts/start-node.js'
import type { Around, Layers, Request, Response, Transformation, Wire } from './defect.js'

/** A running server. */
export interface RunningServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Serves the standard schema, with options, and with what makes it a server with a defect. */
export async function startServer(
  transformation: Transformation = {},
  options: Partial<ServeOptions> = {},
  base: readonly Around[] = [],
): Promise<RunningServer> {
  const schema = createStandardSchema()
  const layers = typeof transformation === 'function' ? transformation(schema) : transformation
  const { websocket, ...own } = { ...options, ...layers.options }
  const endpoint = createEndpoint<Incoming>({ schema, path: '/graphql', ...own })
  const arounds = layers.around === undefined ? base : [layers.around, ...base]
  const handler = arounds.reduceRight(surround, endpoint.handler)
  const listener = toNodeListener(handler) as DualListener
  const sockets =
    typeof websocket === 'object' ? createWebSocketHost(endpoint, websocket) : undefined
  const http1 = createHostServer(listener, { ...layers.host, sockets }).server
  const http2 = createHttp2Server(listener)
  const open = new Set<Socket>()
  const ports = await Promise.all([listen(http1, open), listen(http2 as unknown as Server, open)])
  const front = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.once('data', (bytes: Buffer) => {
      const isHttp2 = bytes.toString('latin1').startsWith('PRI ')
      const behind = connect({ port: ports[isHttp2 ? 1 : 0], allowHalfOpen: true, noDelay: true })
      open.add(behind)
      behind.once('close', () => open.delete(behind))
      relay(socket, behind, bytes, layers)
    })
  })
  const port = await listen(front, open)
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    stop: async () => {
      for (const socket of open) socket.destroy()
      await Promise.all([front, http1, http2 as unknown as Server].map(close))
    },
  }
}

/** Holds a server against the suite, and stops it. */
export async function runOn(server: RunningServer, options: Omit<ConformanceOptions, 'url'>) {
  try {
    return await runConformance({ ...options, url: server.url })
  } finally {
    await server.stop()
  }
}

/** Listens on a free port, and keeps a list of the open connections. */
async function listen(server: Server, open: Set<Socket>): Promise<number> {
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
  })
  return listenOn(server)
}

/** Passes the bytes of a connection on. */
function relay(socket: Socket, behind: Socket, first: Buffer, layers: Layers): void {
  const leave = (): void => void (layers.keepsBehind || behind.destroy())
  const link = {
    send: (bytes: string) => writeTo(socket, bytes),
    pass: (bytes: string) => writeTo(behind, bytes),
    end: () => void socket.end(leave),
    reset: () => void socket.resetAndDestroy(),
  }
  const { client, server, ended, closed }: Wire = layers.wire?.(link) ?? {}
  const take = (bytes: Buffer): void => {
    const text = bytes.toString('latin1')
    link.pass(client ? client(text) : text)
  }
  take(first)
  socket.on('data', take)
  behind.on('data', (bytes: Buffer) => {
    const text = bytes.toString('latin1')
    link.send(server ? server(text) : text)
  })
  socket.on('end', () => {
    link.pass(ended?.() ?? '')
    if (!layers.keepsBehind) behind.end()
  })
  behind.on('end', () => socket.end())
  socket.on('close', () => {
    closed?.()
    leave()
  })
  behind.on('error', () => socket.resetAndDestroy()).on('close', () => socket.destroySoon())
}

function writeTo(socket: Socket, bytes: string): void {
  if (bytes !== '' && socket.writable) socket.write(bytes, 'latin1')
}

/** Puts a function around a handler. The body is read first, whatever the head is. */
function surround(handler: Handler<Incoming>, around: Around): Handler<Incoming> {
  return async (head) => {
    const pieces: Buffer[] = []
    head.raw.on('data', (piece: Buffer) => pieces.push(piece))
    const next = async ({ body: bytes, ...request }: Request): Promise<Response> => {
      const body = { read: (maxBytes: number) => bytes.subarray(0, maxBytes + 1) }
      return toResponse(await handler({ ...head, ...request, body }))
    }
    const body = await readBody(head, 8_000_000)
    if ('refused' in body) return body.refused
    const request = { ...pick(head), body: Buffer.from(body as Uint8Array), pieces }
    return fromResponse(await around(request, next))
  }
}

function pick({ method, target, headers, raw }: RequestHead<Incoming>) {
  return { method, target, headers, raw }
}

function toResponse({ status, headers, body }: HttpResponse): Response {
  const map: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    const lower = name.toLowerCase()
    map[lower] = lower in map ? `${map[lower]}, ${value}` : value
  }
  return { status, headers: map, body }
}

function fromResponse({ status, headers, body }: Response): HttpResponse {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  )
  return { status, headers: lines, body }
}
