import { connect, constants, type IncomingHttpHeaders } from 'node:http2'
import { describeFailure, type TargetConnection } from '../connection.js'
import type { FieldLine } from '../exchange.js'
import { isInterim, ResponseReader, type ResponseHead } from '../read-response.js'
import type { Target } from '../target.js'
import { toBytes, type WireRequest } from '../to-wire-request.js'

/** Where a response goes as it comes. What follows its end or its failure is ignored. */
export interface ResponseSink {
  onHead(head: ResponseHead): void
  onBody(bytes: Buffer): void
  onEnd(): void
  onFailure(reason: string): void
}

/** One request on a connection of its own. */
export interface ResponseSource {
  /** Tells the target that the rest is not wanted, as a client of that version of HTTP does. */
  cancel(): void
  destroy(): void
}

/** Sends a request over HTTP/1.1, where closing the connection is the only way to cancel. */
export function sendOverHttp1(
  connection: TargetConnection,
  request: WireRequest,
  host: string,
  sink: ResponseSink,
): ResponseSource {
  const reader = new ResponseReader(false, {
    onHead: (head) => isInterim(head.status) || sink.onHead(head),
    onBody: (bytes) => sink.onBody(bytes),
    onResponse: ({ status }) => isInterim(status) || sink.onEnd(),
  })
  connection.onBytes = (bytes) => {
    reader.add(bytes)
    if (reader.problem !== undefined) sink.onFailure(reader.problem)
  }
  connection.onEnd = () => {
    if (!connection.isBroken) reader.end()
    sink.onFailure(connection.failure)
  }
  connection.write(toBytes(request, host))
  const destroy = (): void => connection.destroy()
  return { cancel: destroy, destroy }
}

/**
 * Sends a request over HTTP/2: with TLS if the target has it, otherwise by prior knowledge (RFC 9113 section 3.3). Only
 * after a response over HTTP/2 are more requests sent: Node 22 can abort when the head of a response is malformed.
 */
export function sendOverHttp2(
  target: Target,
  request: WireRequest,
  insecure: boolean,
  sink: ResponseSink,
): ResponseSource {
  const fail = (error: unknown): void => sink.onFailure(describeFailure(error))
  const session = connect(target.origin, { rejectUnauthorized: !insecure }).on('error', fail)
  const stream = session.request({
    ':method': request.method,
    ':path': request.target,
    ':authority': target.host,
    ...toRecord(request.headers),
  })
  stream
    .once('response', (headers) => {
      const { ':status': status = 0 } = headers
      sink.onHead({ status, headers: toLines(headers) })
      stream.on('data', (bytes: Buffer) => sink.onBody(bytes)).once('end', () => sink.onEnd())
    })
    .on('error', fail)
    .once('close', () => sink.onFailure('the stream was closed without a response'))
    .end(request.body)
  return {
    cancel: () => stream.close(constants.NGHTTP2_CANCEL),
    destroy: () => session.destroy(),
  }
}

function toRecord(lines: readonly FieldLine[]): Record<string, string[]> {
  const record: Record<string, string[]> = {}
  for (const [name, value] of lines) (record[name.toLowerCase()] ??= []).push(value)
  return record
}

function toLines(headers: IncomingHttpHeaders): readonly FieldLine[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(':') ? [] : [value ?? []].flat().map((line): FieldLine => [name, line]),
  )
}
