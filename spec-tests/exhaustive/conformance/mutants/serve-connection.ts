import type { Socket } from 'node:net'
import { ByteReader } from './byte-reader.js'
import type { Has } from './defects.js'
import { fieldOf, plain, type Request, type Response } from './message.js'
import { chooseFraming, expectation, readBody } from './read-body.js'
import { readHead, refuse, type Head, type OrRefused } from './read-head.js'
import { toBytes } from './write-response.js'

/** Answers one request, or says that the connection is to be cut. */
export type Responder = (request: Request) => Promise<Response | 'cut'>

/** How long a connection that was closed after a refusal is read on, so that no reset eats the answer. */
const lingerMs = 1000

/** Answers the requests of a connection one after the other. */
export async function serveConnection(
  socket: Socket,
  responder: Responder,
  has: Has,
): Promise<void> {
  const reader = new ByteReader(socket)
  for (let isOpen = true; isOpen;) isOpen = await serveOne(socket, reader, responder, has)
  socket.end()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  await reader.discard()
  clearTimeout(timer)
  socket.destroy()
}

/** Serves a request; says whether another may follow. */
async function serveOne(
  socket: Socket,
  reader: ByteReader,
  responder: Responder,
  has: Has,
): Promise<boolean> {
  const head = await readHead(reader, has)
  if (head === undefined) return false
  const read = 'refused' in head ? head : await readRest(head.value, socket, reader, has)
  if ('refused' in read) return refuseAndClose(socket, read.refused, has)
  const { method, headers, minor } = read.value
  if (minor === 0 && has('http-1.0-unanswered')) return false
  const asked = (fieldOf(headers, 'connection') ?? '').toLowerCase().split(/[ \t]*,[ \t]*/)
  const closes = minor === 0 || (asked.includes('close') && !has('close-ignored'))
  const respond = async (): Promise<number> => {
    const response = await responder(read.value).catch((bug: unknown) => plain(500, String(bug)))
    if (response === 'cut') {
      socket.destroy()
      return 0
    }
    socket.write(toBytes(response, method === 'HEAD', closes, has))
    return response.status
  }
  if (has('pipelined-answers-out-of-order') && !closes) {
    void respond()
    return true
  }
  const status = await respond()
  if (has('connection-cut-after-an-error') && status >= 400) socket.destroy()
  if (has('connection-dead-after-an-error') && status >= 400) await reader.discard()
  if (has('answer-cut-short')) socket.destroy()
  return !closes && !socket.destroyed
}

async function readRest(
  head: Head,
  socket: Socket,
  reader: ByteReader,
  has: Has,
): Promise<OrRefused<Request & Head>> {
  const framing = chooseFraming(head, has)
  if ('refused' in framing) return framing
  const expected = expectation(head.headers)
  if (expected === 'unknown') return refuse(417, 'Only 100-continue can be expected.')
  if (expected === 'continue' && head.minor > 0) {
    if (!has('expect-unanswered')) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
  }
  if (has('refused-body-left-unread') && !/^(?:GET|HEAD|POST|OPTIONS)$/.test(head.method)) {
    return { value: { ...head, pieces: [] } }
  }
  const body = await readBody(reader, framing.value, has)
  return 'refused' in body ? body : { value: { ...head, pieces: body.value } }
}

function refuseAndClose(socket: Socket, response: Response, has: Has): boolean {
  if (response.status === 413 && has('413-by-reset')) socket.resetAndDestroy()
  else socket.write(toBytes(response, false, true, has))
  return false
}
