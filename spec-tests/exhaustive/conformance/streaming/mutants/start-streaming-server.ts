import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import type { HasStreamDefect, StreamDefectName } from './defects.js'
import { HttpAnswers } from './http-server.js'
import { Operations } from './operations.js'
import { Session } from './session.js'
import { SingleMode, tokenField } from './single-mode.js'
import { answerHandshake, ServerSocket } from './socket.js'

/** A running server. */
export interface StreamingServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts the reference server of the streaming suites, with one of its defects or with none. */
export async function startStreamingServer(defect?: StreamDefectName): Promise<StreamingServer> {
  const has: HasStreamDefect = (name) => name === defect
  const operations = new Operations()
  const sources = new Set<AsyncIterator<object>>()
  const answers = new HttpAnswers(operations, has, sources)
  const single = new SingleMode(operations, has, sources)
  const sockets = new Set<Socket>()
  const http1 = createServer((incoming, response) => {
    const isSingle = incoming.method === 'PUT' || incoming.headers[tokenField] !== undefined
    const answering = (isSingle ? single : answers).answer(incoming, response)
    answering.catch(() => response.destroy())
  })
  const http2 = createHttp2Server((incoming, response) => {
    // Node's compatibility API has all that the answers use.
    const [request, answer] = [incoming, response] as unknown as [IncomingMessage, ServerResponse]
    answers.answer(request, answer).catch(() => response.stream.destroy())
  })
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.once('data', (chunk) => {
      socket.pause()
      socket.unshift(chunk)
      const speaker = chunk.toString().startsWith('PRI ') ? http2 : http1
      speaker.emit('connection', socket)
      process.nextTick(() => socket.resume())
    })
  })
  http1.on('upgrade', (incoming, duplex, head) => {
    const { isAccepted, lines } = answerHandshake(incoming, has)
    duplex.write(`${lines.join('\r\n')}\r\n\r\n`)
    if (!isAccepted) return void duplex.end()
    const begin = (socket: ServerSocket): Session => new Session(socket, operations, has, sources)
    void new ServerSocket(duplex, has, begin)
    if (head.length > 0) duplex.unshift(head)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped())
        for (const source of sources) void source.return?.()
        for (const socket of sockets) socket.destroy()
      }),
  }
}
