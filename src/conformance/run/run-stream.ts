import { setTimeout as sleep } from 'node:timers/promises'
import type { Exchange, FieldLine, WireEvent } from '../wire/exchange.js'
import { checkEvent, isSilent } from '../judge/check-events.js'
import type { FixtureStep, StreamOperation } from '../suite/fixture.js'
import type { EventLog } from '../wire/streaming/event-log.js'
import { HttpStream, sendOverHttp1, sendOverHttp2 } from '../wire/streaming/open-stream.js'
import { opcodes } from '../wire/web-socket/frames.js'
import { ClientSocket } from '../wire/web-socket/open-socket.js'
import {
  expand,
  formatBytes,
  formatRequest,
  fromHex,
  toContent,
  toWireRequest,
} from '../wire/to-wire-request.js'
import type { Client } from '../wire/send-request.js'
import type { Target } from '../wire/target.js'

export interface StreamWire {
  readonly target: Target
  readonly client: Client
  readonly timeout: number
  /** The user's headers for every request. */
  readonly headers: readonly FieldLine[]
  /** Those that the target requires for a GET. */
  readonly getHeaders: readonly FieldLine[]
}

/** Without it any content coding is acceptable (RFC 9110 section 12.5.3), and a stream is read as it comes. */
const plain: FieldLine = ['accept-encoding', 'identity']

/** A stream, and how to send more on it if it is that of a socket. */
interface Live {
  readonly stream: HttpStream
  readonly socket?: ClientSocket
}

/** The streams and sockets of a case that are open, by the name that its steps give them. */
export class OpenStreams {
  readonly #wire: StreamWire
  readonly #open = new Map<string, Live>()
  /** How many events earlier steps have seen. */
  readonly #seen = new WeakMap<Live, number>()

  constructor(wire: StreamWire) {
    this.#wire = wire
  }

  /** Runs the operations of a step, and returns what came meanwhile. */
  async run(step: FixtureStep): Promise<Exchange> {
    const { as = '', stream: operations = step.socket ?? [] } = step
    const [first, ...rest] = operations
    const earlier = this.#open.get(as)
    const live = (first && this.#start(first)) ?? earlier
    if (live === undefined || first === undefined) {
      throw new Error(`No step has opened ${JSON.stringify(as)}.`)
    }
    const isNew = live !== earlier
    if (isNew) {
      earlier?.stream.destroy()
      this.#open.set(as, live)
      const { stream, socket } = live
      // A response that opens no socket is read to its end.
      const isHere = (): boolean => (socket ? socket.isOpen : stream.status !== undefined)
      await stream.log.changes.until(this.#wire.timeout, isHere)
    }
    const since = this.#seen.get(live) ?? 0
    for (const operation of isNew ? rest : operations) {
      await this.#perform(live, operation, since)
    }
    this.#seen.set(live, live.stream.log.events.length)
    if (step.as === undefined) {
      this.#open.delete(as)
      live.stream.destroy()
    }
    return this.#exchangeOf(live.stream, isNew, since)
  }

  closeAll(): void {
    for (const { stream } of this.#open.values()) stream.destroy()
  }

  #exchangeOf(stream: HttpStream, isNew: boolean, since: number): Exchange {
    const { sent, response, log } = stream
    const { failure = `no response within ${this.#wire.timeout} ms` } = stream
    return {
      sent,
      responses: isNew && response !== undefined ? [response] : [],
      ...(isNew && response === undefined && { failure }),
      events: log.events.slice(since),
      faults: [...log.faults],
      history: { events: [...log.events], notes: [...log.notes] },
    }
  }

  #start({ connect, open, http }: StreamOperation): Live | undefined {
    const { target, client, headers, getHeaders } = this.#wire
    if (connect !== undefined) {
      const socket = new ClientSocket(target, connect, headers, client.open())
      return { stream: socket.stream, socket }
    }
    if (open === undefined) return undefined
    const more = open.method === 'GET' ? [plain, ...getHeaders] : [plain]
    const request = toWireRequest(open, target, [...more, ...headers])
    const sent = formatRequest(request, target.host, http === 2 ? '2' : '1.1')
    const stream = new HttpStream(sent, (sink) =>
      http === 2
        ? sendOverHttp2(target, request, sink)
        : sendOverHttp1(client.open(), request, target.host, sink),
    )
    stream.log.note(sent.slice(0, sent.indexOf('\n')).replace(/ HTTP\/1\.1$/, ''))
    return { stream }
  }

  async #perform(live: Live, operation: StreamOperation, since: number): Promise<void> {
    const { stream, socket } = live
    if (operation.await !== undefined) return this.#await(stream.log, operation, since)
    if (operation.sleep !== undefined) return sleep(operation.sleep)
    if (operation.close === undefined) return socket && this.#send(socket, operation)
    if (socket === undefined) {
      stream.log.note('cancels the rest')
      return stream.cancel()
    }
    if (operation.close === true) {
      stream.log.note('closes the connection')
      return stream.destroy()
    }
    stream.log.note(`close ${operation.close}`)
    return socket.close(operation.close)
  }

  async #await(log: EventLog, operation: StreamOperation, since: number): Promise<void> {
    const { await: wanted = 0, within = this.#wire.timeout } = operation
    const [amount, counts] =
      typeof wanted === 'number'
        ? [wanted, (event: WireEvent) => !isSilent(event)]
        : [1, (event: WireEvent) => checkEvent(event, wanted) === undefined]
    let seen = since
    let found = 0
    const isHere = (): boolean => {
      for (let event = log.events[seen]; event !== undefined; event = log.events[++seen]) {
        if (counts(event)) found++
      }
      return found >= amount
    }
    if ((await log.changes.until(within, isHere)) || log.changes.isOver) return
    log.note(`gives up after ${within} ms`)
  }

  #send(socket: ClientSocket, operation: StreamOperation): void {
    const { log } = socket.stream
    const { binary, hex, frame } = operation
    for (const payload of textsOf(operation).map((text) => Buffer.from(text))) {
      log.note(formatBytes(payload, 500))
      socket.send({ opcode: opcodes.text, payload })
    }
    if (binary !== undefined) {
      log.note(`a binary message: ${binary}`)
      socket.send({ opcode: opcodes.binary, payload: fromHex(binary) })
    }
    if (hex !== undefined) {
      log.note(`bytes: ${hex}`)
      socket.write(fromHex(hex))
    }
    if (frame !== undefined) {
      const { text, hex: bytes, repeat, ...fields } = frame
      const payload = toContent({ text, hex: bytes, repeat }) ?? Buffer.alloc(0)
      log.note(`a frame: ${JSON.stringify(fields)}, ${payload.length} bytes`)
      socket.send({ ...fields, payload })
    }
  }
}

/** The text messages that an operation sends. */
function textsOf({ send, text, repeat }: StreamOperation): readonly string[] {
  if (send !== undefined) return [JSON.stringify(send)]
  if (text !== undefined) return [text]
  return repeat ? expand(repeat) : []
}
