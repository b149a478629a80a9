import type { Dispatcher } from 'undici'
import type { Exchange, FieldLine } from './exchange.js'
import type { Target } from './target.js'
import { formatRequest, type WireRequest } from './to-wire-request.js'

/** The largest answer that is read; what is larger is no answer to a small request. */
const maxResponseBytes = 32 * 1024 * 1024

/** Sends a request and reads the whole answer. What goes wrong on the way is part of the exchange. */
export async function sendRequest(
  dispatcher: Dispatcher,
  target: Target,
  request: WireRequest,
  timeout: number,
): Promise<Exchange> {
  const sent = formatRequest(request, target.host)
  const signal = AbortSignal.timeout(timeout)
  try {
    const response = await dispatcher.request({
      origin: target.origin,
      path: request.target,
      method: request.method,
      headers: request.headers.flat(),
      body: request.body ?? null,
      responseHeaders: 'raw',
      signal,
    })
    const body = await readAll(response.body)
    const headers = toLines(response.headers as unknown as readonly string[])
    return { sent, responses: [{ status: response.statusCode, headers, body }] }
  } catch (error) {
    return { sent, responses: [], failure: describe(error, signal, timeout) }
  }
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxResponseBytes)
      throw new Error(`the answer is larger than ${maxResponseBytes} bytes`)
  }
  return Buffer.concat(chunks)
}

function toLines(flat: readonly string[]): FieldLine[] {
  const lines: FieldLine[] = []
  for (let at = 0; at < flat.length; at += 2)
    lines.push([flat[at] as string, flat[at + 1] as string])
  return lines
}

function describe(error: unknown, signal: AbortSignal, timeout: number): string {
  if (signal.aborted) return `no whole answer within ${timeout} ms`
  const { message, code } = error as { message?: string; code?: string }
  return [code, message].filter(Boolean).join(': ') || String(error)
}
