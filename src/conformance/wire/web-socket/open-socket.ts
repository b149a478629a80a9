import { createHash, randomBytes } from 'node:crypto'
import type { ConnectFixture } from '../../suite/fixture.js'
import type { TargetConnection } from '../connection.js'
import { fieldOf, type FieldLine } from '../exchange.js'
import type { ResponseHead } from '../read-response.js'
import { HttpStream, sendOverHttp1 } from '../streaming/open-stream.js'
import type { StreamReader } from '../streaming/stream-readers.js'
import type { Target } from '../target.js'
import { formatBytes, formatRequest, toWireRequest } from '../to-wire-request.js'
import { encodeFrame, opcodes, type FrameToSend, FrameReader } from './frames.js'

/** Appended to the key of a handshake for its hash (RFC 6455 section 1.3). */
const keySuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** The client side of a WebSocket, which can also send what a client must not send. */
export class ClientSocket {
  /** The handshake, and the frames of the target behind its response. */
  readonly stream: HttpStream
  readonly #connection: TargetConnection
  readonly #key = randomBytes(16).toString('base64')
  #isClosing = false

  /** `more` are the user's headers. */
  constructor(
    target: Target,
    { method = 'GET', headers, protocols = ['graphql-transport-ws'] }: ConnectFixture,
    more: readonly FieldLine[],
    connection: TargetConnection,
  ) {
    const usual = {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-version': '13',
      'sec-websocket-key': this.#key,
      'sec-websocket-protocol': protocols.length === 0 ? null : protocols.join(', '),
    }
    const request = toWireRequest({ method, headers: { ...usual, ...headers } }, target, more)
    this.#connection = connection
    this.stream = new HttpStream(
      formatRequest(request, target.host).trimEnd(),
      (sink) => sendOverHttp1(connection, request, target.host, sink),
      (head) => this.#readerFor(head),
    )
    this.stream.log.note('opening handshake')
  }

  get isOpen(): boolean {
    return this.stream.status === 101
  }

  send(frame: FrameToSend): void {
    if (frame.opcode === opcodes.close) this.#isClosing = true
    this.write(encodeFrame(frame))
  }

  close(code: number): void {
    this.send({ opcode: opcodes.close, payload: Buffer.of(code >> 8, code & 0xff) })
  }

  write(bytes: Uint8Array): void {
    if (this.isOpen) this.#connection.write(bytes)
  }

  #readerFor(head: ResponseHead): StreamReader | undefined {
    if (head.status !== 101) return undefined
    const { log } = this.stream
    const hash = createHash('sha1').update(this.#key + keySuffix)
    const accept = fieldOf(head, 'sec-websocket-accept')
    // RFC 6455 section 4.2.2.
    if (accept !== hash.digest('base64')) {
      const shown = formatBytes(Buffer.from(accept ?? ''), 60)
      log.blame(`Sec-WebSocket-Accept is ${shown}, not the hash of the key`)
    }
    return new FrameReader(log, (opcode, payload) => this.#answer(opcode, payload))
  }

  /** A ping gets its pong, and a close its echo (RFC 6455 sections 5.5.1 and 5.5.2). */
  #answer(opcode: number, payload: Buffer): void {
    // A target may send pings without end, and read nothing.
    if (this.stream.log.changes.isOver) return
    if (opcode === opcodes.ping) this.send({ opcode: opcodes.pong, payload })
    if (opcode !== opcodes.close || this.#isClosing) return
    this.send({ opcode: opcodes.close, payload: payload.subarray(0, 2) })
  }
}
