import type { Socket } from 'node:net'
import type { TargetConnection, TargetConnections } from './connections.js'
import { maxResponseBytes, trimBlanks, type Exchange, type FieldLine } from './exchange.js'
import type { Target } from './target.js'
import { formatRequest, type WireRequest } from './to-wire-request.js'

/**
 * Sends a request and reads the whole response. Failures are part of the exchange, with one exception: a connection that the
 * target closed while it was idle, as it may at any time (RFC 9112 section 9.5). Then the request is sent once more.
 */
export function sendRequest(
  connections: TargetConnections,
  target: Target,
  request: WireRequest,
  timeout: number,
): Promise<Exchange> {
  return connections.use(async (connection) => {
    const { socket } = connection
    const isUsed = socket !== undefined && !isClosed(socket)
    const readBefore = socket?.bytesRead
    const { exchange, isLate } = await sendOnce(connection, target, request, timeout)
    if (!isUsed || exchange.failure === undefined) return exchange
    // If any byte has arrived, it is the beginning of a response, which a second attempt must not hide.
    const isSilent = socket === connection.socket && socket.bytesRead === readBefore
    const isCut = isSilent && isClosed(socket) && !isLate
    return isCut ? (await sendOnce(connection, target, request, timeout)).exchange : exchange
  })
}

function isClosed(socket: Socket): boolean {
  return socket.destroyed || socket.readableEnded
}

/** Sends a request on a new connection, without a second attempt. */
export function sendAnew(
  connections: TargetConnections,
  target: Target,
  request: WireRequest,
  timeout: number,
): Promise<Exchange> {
  return connections.useNew(
    async (connection) => (await sendOnce(connection, target, request, timeout)).exchange,
  )
}

async function sendOnce(
  { client, framing }: TargetConnection,
  target: Target,
  request: WireRequest,
  timeout: number,
): Promise<{ readonly exchange: Exchange; readonly isLate: boolean }> {
  const sent = formatRequest(request, target.host)
  const signal = AbortSignal.timeout(timeout)
  let begun: number | undefined
  framing.begin()
  try {
    const response = await client.request({
      path: request.target,
      method: request.method,
      headers: request.headers.flat(),
      body: request.body ?? null,
      responseHeaders: 'raw',
      signal,
    })
    begun = response.statusCode
    const body = await readAll(response.body)
    const headers = toFieldLines(response.headers as unknown as readonly string[])
    const { statusCode: status } = response
    return { exchange: { sent, responses: [{ status, headers, body }] }, isLate: false }
  } catch (error) {
    const failure = describe(error, signal, timeout)
    const exchange = { sent, responses: [], failure, ...(begun !== undefined && { begun }) }
    return { exchange, isLate: signal.aborted }
  }
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxResponseBytes)
      throw new Error(`the response is larger than ${maxResponseBytes} bytes`)
  }
  return Buffer.concat(chunks)
}

/** Field lines from the flat list of a client. */
export function toFieldLines(flat: readonly string[]): FieldLine[] {
  const lines: FieldLine[] = []
  for (let at = 0; at < flat.length; at += 2)
    lines.push([flat[at] as string, trimBlanks(flat[at + 1] as string)])
  return lines
}

function describe(error: unknown, signal: AbortSignal, timeout: number): string {
  return signal.aborted ? `no complete response within ${timeout} ms` : describeFailure(error)
}

/** Why a request got no response. */
export function describeFailure(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  // Errors of sockets name their code in the message too.
  const parts = [message?.includes(code ?? '') ? undefined : code, message]
  return parts.filter(Boolean).join(': ') || String(error)
}
