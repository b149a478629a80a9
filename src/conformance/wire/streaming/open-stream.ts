import { connect, constants } from 'node:http2'
import { describeFailure, type TargetConnection } from '../connection.js'
import { maxResponseBytes, type WireResponse } from '../exchange.js'
import { isInterim, ResponseReader, type ResponseHead } from '../read-response.js'
import type { Target } from '../target.js'
import { toBytes, toLines, type WireRequest } from '../to-wire-request.js'
import { EventLog } from './event-log.js'
import { readerFor, type StreamReader } from './stream-readers.js'

/** A request whose response is read as it comes. */
export class HttpStream {
  readonly log: EventLog = new EventLog()
  readonly sent: string
  readonly #giveUp: GiveUp
  readonly #toReader: (head: ResponseHead, log: EventLog) => StreamReader | undefined
  readonly #chunks: Uint8Array[] = []
  #size = 0
  #head: ResponseHead | undefined
  #reader: StreamReader | undefined
  /** Why nothing more comes. */
  failure: string | undefined

  /** `sent`: the request as text, for people. */
  constructor(
    sent: string,
    send: (stream: HttpStream) => GiveUp,
    toReader: (head: ResponseHead, log: EventLog) => StreamReader | undefined = readerFor,
  ) {
    this.sent = sent
    this.#toReader = toReader
    this.#giveUp = send(this)
  }

  get status(): number | undefined {
    return this.#head?.status
  }

  get response(): WireResponse | undefined {
    return this.#head && { ...this.#head, body: Buffer.concat(this.#chunks) }
  }

  onHead(head: ResponseHead): void {
    if (this.log.changes.isOver) return
    this.#head = head
    this.#reader = this.#toReader(head, this.log)
    this.log.changes.tell()
  }

  onBody(bytes: Buffer): void {
    if (this.log.changes.isOver) return
    this.#size += bytes.length
    if (this.#size > maxResponseBytes) {
      return this.onFailure(`the response is larger than ${maxResponseBytes} bytes`)
    }
    if (this.status !== 101) this.#chunks.push(bytes)
    this.#reader?.add(bytes)
  }

  onEnd(): void {
    if (this.log.changes.isOver) return
    this.#reader?.end?.()
    this.log.end()
  }

  onFailure(reason: string): void {
    this.failure ??= reason
    this.log.fail(reason)
  }

  /** Gives up the rest of the response. */
  cancel(): void {
    this.log.close()
    this.#giveUp('cancel')
  }

  /** Closes the connection, whatever still comes. */
  destroy(): void {
    this.log.close()
    this.#giveUp('close')
  }
}

/** Closes the connection of a request, or cancels the request as a client of that version of HTTP does. */
type GiveUp = (how: 'close' | 'cancel') => void

/** Sends a request over HTTP/1.1, where closing the connection is the only way to cancel. */
export function sendOverHttp1(
  connection: TargetConnection,
  request: WireRequest,
  host: string,
  stream: HttpStream,
): GiveUp {
  const reader = new ResponseReader(false, {
    onHead: (head) => isInterim(head.status) || stream.onHead(head),
    onBody: (bytes) => stream.onBody(bytes),
    onResponse: ({ status }) => isInterim(status) || stream.onEnd(),
  })
  connection.onBytes = (bytes) => {
    reader.add(bytes)
    if (reader.problem !== undefined) stream.onFailure(reader.problem)
  }
  connection.onEnd = () => {
    if (!connection.isBroken) reader.end()
    stream.onFailure(connection.failure)
  }
  connection.write(toBytes(request, host))
  return () => connection.destroy()
}

/** The user's headers for a connection, which HTTP/2 does not have (RFC 9113 section 8.2.2). */
const ofHttp1 =
  /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade|http2-settings|te)$/i

/**
 * Sends a request over HTTP/2: with TLS if the target has it, otherwise by prior knowledge (RFC 9113 section 3.3). Only
 * after a response over HTTP/2 are more requests sent: Node 22 can abort when the head of a response is malformed.
 */
export function sendOverHttp2(target: Target, request: WireRequest, stream: HttpStream): GiveUp {
  const fail = (error: unknown): void => stream.onFailure(describeFailure(error))
  const session = connect(target.origin, { rejectUnauthorized: !target.insecure }).on('error', fail)
  const fields: Record<string, string[]> = {}
  for (const [name, value] of request.headers) {
    if (!ofHttp1.test(name)) (fields[name.toLowerCase()] ??= []).push(value)
  }
  const sent = session.request({
    ':method': request.method,
    ':path': request.target,
    ':authority': target.host,
    ...fields,
  })
  sent
    .once('response', ({ ':status': status = 0, ...headers }) => {
      stream.onHead({ status, headers: toLines(headers) })
      sent.on('data', (bytes: Buffer) => stream.onBody(bytes)).once('end', () => stream.onEnd())
    })
    .on('error', fail)
    .once('close', () => stream.onFailure('the stream was closed without a response'))
    .end(request.body)
  return (how) => (how === 'cancel' ? sent.close(constants.NGHTTP2_CANCEL) : session.destroy())
}
