import { createHash, randomBytes } from 'node:crypto'
import type { ConnectFixture } from '../../suite/stream-fixture.js'
import { TargetConnection } from '../connection.js'
import { fieldOf, type FieldLine, type WireResponse } from '../exchange.js'
import { ResponseReader } from '../read-response.js'
import { EventLog } from '../streaming/event-log.js'
import { requestTarget, type Target } from '../target.js'
import { formatBytes, toLines } from '../to-wire-request.js'
import { closePayload, encodeFrame, opcodes, type FrameToSend, FrameReader } from './frames.js'

/** Appended to the key of a handshake for its hash (RFC 6455 section 1.3). */
const keySuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** The client side of a WebSocket, which can also send what a client must not send. */
export class WebSocketConnection {
  readonly log: EventLog = new EventLog()
  readonly sent: string
  readonly #connection: TargetConnection
  readonly #key = randomBytes(16).toString('base64')
  readonly #reader = new ResponseReader(false, { onResponse: (one) => this.#takeResponse(one) })
  readonly #frames: FrameReader
  #response: WireResponse | undefined
  #failure: string | undefined
  #isClosing = false

  constructor(
    target: Target,
    connect: ConnectFixture,
    more: readonly FieldLine[],
    insecure: boolean,
  ) {
    this.#frames = new FrameReader(this.log, (opcode, payload) => this.#answer(opcode, payload))
    const { method = 'GET' } = connect
    const lines = this.#fieldsOf(target, connect, more).map(([name, value]) => `${name}: ${value}`)
    const head = [`${method} ${requestTarget(target, '', '')} HTTP/1.1`, ...lines]
    this.sent = head.join('\n')
    this.log.note('opening handshake')
    this.#connection = new TargetConnection(target, insecure)
    this.#connection.onBytes = (bytes) => this.#take(bytes)
    this.#connection.onEnd = () => this.#end()
    this.#connection.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n`))
  }

  /** The response to the handshake. */
  get response(): WireResponse | undefined {
    return this.#response
  }

  /** Why nothing more comes. */
  get failure(): string | undefined {
    return this.#failure
  }

  get #isOpen(): boolean {
    return this.#response?.status === 101
  }

  /** Sends a frame, which may be malformed. */
  send(frame: FrameToSend): void {
    if (frame.opcode === opcodes.close) this.#isClosing = true
    this.write(encodeFrame(frame))
  }

  /** Sends a close frame. */
  close(code: number): void {
    this.send({ opcode: opcodes.close, payload: closePayload(code) })
  }

  write(bytes: Uint8Array): void {
    if (this.#isOpen) this.#connection.write(bytes)
  }

  destroy(): void {
    this.log.close()
    this.#connection.destroy()
  }

  #fieldsOf(
    target: Target,
    { headers = {}, protocols = ['graphql-transport-ws'] }: ConnectFixture,
    more: readonly FieldLine[],
  ): readonly FieldLine[] {
    const usual: readonly FieldLine[] = [
      ['host', target.host],
      ['upgrade', 'websocket'],
      ['connection', 'Upgrade'],
      ['sec-websocket-version', '13'],
      ['sec-websocket-key', this.#key],
      ...(protocols.length === 0
        ? []
        : [['sec-websocket-protocol', protocols.join(', ')] as const]),
      ...more,
    ]
    const others = usual.filter(([name]) => !Object.hasOwn(headers, name.toLowerCase()))
    return [...others, ...toLines(headers)]
  }

  #take(bytes: Buffer): void {
    if (this.#isOpen) return this.#frames.add(bytes)
    this.#reader.add(bytes)
    const { problem, rest } = this.#reader
    if (problem !== undefined) return this.#fail(problem)
    if (this.#isOpen && rest.length > 0) this.#frames.add(rest)
  }

  #takeResponse(response: WireResponse): void {
    const { status } = response
    if (status < 200 && status !== 101) return
    this.#response ??= response
    if (status !== 101) return this.log.end()
    this.#checkAccept(response)
    this.log.changes.tell()
  }

  /** RFC 6455 section 4.2.2. */
  #checkAccept(response: WireResponse): void {
    const digest = createHash('sha1')
      .update(this.#key + keySuffix)
      .digest('base64')
    const accept = fieldOf(response, 'sec-websocket-accept')
    if (accept !== digest) {
      this.log.blame(
        `Sec-WebSocket-Accept is ${formatBytes(Buffer.from(accept ?? ''), 60)}, not the hash of the key`,
      )
    }
  }

  /** A ping gets its pong, and a close its echo (RFC 6455 sections 5.5.1 and 5.5.2). */
  #answer(opcode: number, payload: Buffer): void {
    // A target may send pings without end, and read nothing.
    if (this.log.changes.isOver) return
    if (opcode === opcodes.ping) this.send({ opcode: opcodes.pong, payload })
    if (opcode !== opcodes.close || this.#isClosing) return
    this.send({ opcode: opcodes.close, payload: payload.subarray(0, 2) })
  }

  #end(): void {
    if (this.#response === undefined) this.#reader.end()
    if (this.log.changes.isOver) return
    const { failure, isBroken } = this.#connection
    if (isBroken) return this.#fail(failure)
    this.#failure ??= failure
    this.log.end()
  }

  #fail(reason: string): void {
    this.#failure ??= reason
    this.log.fail(reason)
  }
}
