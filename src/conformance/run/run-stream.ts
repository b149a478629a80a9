import { setTimeout as sleep } from 'node:timers/promises'
import type { Exchange, FieldLine, WireEvent } from '../wire/exchange.js'
import { checkEvent, isSilent } from '../judge/check-events.js'
import type { SocketStep, StreamOperation, WaitOperation } from '../suite/stream-fixture.js'
import { HttpStream } from '../wire/streaming/open-stream.js'
import { sendOverHttp1, sendOverHttp2 } from '../wire/streaming/response-source.js'
import { encodeFrame, opcodes } from '../wire/web-socket/frames.js'
import { WebSocketConnection } from '../wire/web-socket/open-socket.js'
import {
  formatBytes,
  formatRequest,
  fromHex,
  toLines,
  toWireRequest,
} from '../wire/to-wire-request.js'
import type { Client } from '../wire/send-request.js'
import type { Target } from '../wire/target.js'
import type { HeaderLines } from '../suite/request-fixture.js'
import type { FixtureStep } from '../suite/fixture.js'

/** How to reach the target. */
export interface StreamWire {
  readonly target: Target
  readonly client: Client
  readonly timeout: number
  readonly insecure: boolean
  /** The user's headers for every request. */
  readonly headers: readonly FieldLine[]
}

type StreamedOperation = StreamOperation | SocketStep
type Live = HttpStream | WebSocketConnection

/** The streams and sockets of a case that are open, by the name that its steps give them. */
export class OpenStreams {
  readonly #wire: StreamWire
  readonly #getHeaders: readonly FieldLine[]
  readonly #open = new Map<string, Live>()
  /** How many events earlier steps have seen. */
  readonly #seen = new WeakMap<Live, number>()

  constructor(wire: StreamWire, getHeaders: HeaderLines) {
    this.#wire = wire
    this.#getHeaders = toLines(getHeaders)
  }

  /** Runs the operations of a step, and returns what came meanwhile. */
  async run(step: FixtureStep): Promise<Exchange> {
    const operations: readonly StreamedOperation[] = step.stream ?? step.socket ?? []
    const { as = '' } = step
    const [first, ...rest] = operations
    const earlier = this.#open.get(as)
    const live = (first && this.#start(first)) ?? earlier
    if (live === undefined || first === undefined) {
      throw new Error(`No step has opened ${JSON.stringify(as)}.`)
    }
    const isNew = live !== earlier
    if (isNew) {
      earlier?.destroy()
      this.#open.set(as, live)
      await live.log.changes.until(this.#wire.timeout, () => live.response !== undefined)
    }
    const since = this.#seen.get(live) ?? 0
    for (const operation of isNew ? rest : operations) {
      await this.#perform(live, operation, since)
    }
    this.#seen.set(live, live.log.events.length)
    if (step.as === undefined) {
      this.#open.delete(as)
      live.destroy()
    }
    return this.#exchangeOf(live, isNew, since)
  }

  closeAll(): void {
    for (const live of this.#open.values()) live.destroy()
  }

  #exchangeOf(live: Live, isNew: boolean, since: number): Exchange {
    const { sent, response, log } = live
    const { failure = `no response within ${this.#wire.timeout} ms` } = live
    return {
      sent,
      responses: isNew && response !== undefined ? [response] : [],
      ...(isNew && response === undefined && { failure }),
      events: log.events.slice(since),
      faults: [...log.faults],
      history: { events: [...log.events], notes: [...log.notes] },
    }
  }

  #start(operation: StreamedOperation): Live | undefined {
    const { target, client, insecure, headers } = this.#wire
    if ('connect' in operation) {
      return new WebSocketConnection(target, operation.connect, headers, insecure)
    }
    if (!('open' in operation)) return undefined
    const { open, http } = operation
    const more = open.method === 'GET' ? this.#getHeaders : []
    const request = toWireRequest(open, target, [...more, ...headers])
    if (http !== 2) {
      return new HttpStream(formatRequest(request, target.host), (sink) =>
        sendOverHttp1(client.open(), request, target.host, sink),
      )
    }
    return new HttpStream(formatRequest(request, target.host, '2'), (sink) =>
      sendOverHttp2(target, request, insecure, sink),
    )
  }

  async #perform(live: Live, operation: StreamedOperation, since: number): Promise<void> {
    if ('await' in operation) return this.#await(live, operation, since)
    if ('sleep' in operation) return sleep(operation.sleep)
    if ('close' in operation) {
      if (live instanceof HttpStream) {
        live.log.note('cancels the rest')
        return live.cancel()
      }
      if (operation.close === true) {
        live.log.note('closes the connection')
        return live.destroy()
      }
      live.log.note(`close ${operation.close}`)
      return live.close(operation.close)
    }
    if (live instanceof WebSocketConnection) this.#send(live, operation)
  }

  async #await(
    { log }: Live,
    { await: wanted, within = this.#wire.timeout }: Extract<WaitOperation, { await: unknown }>,
    since: number,
  ): Promise<void> {
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

  #send(live: WebSocketConnection, operation: StreamedOperation): void {
    const text = textOf(operation)
    for (const one of text ?? []) {
      live.log.note(formatBytes(Buffer.from(one), 500))
      live.send({ opcode: opcodes.text, payload: Buffer.from(one) })
    }
    if ('binary' in operation) {
      live.log.note(`a binary message: ${operation.binary}`)
      live.send({ opcode: opcodes.binary, payload: fromHex(operation.binary) })
    } else if ('hex' in operation) {
      live.log.note(`bytes: ${operation.hex}`)
      live.write(fromHex(operation.hex))
    } else if ('frame' in operation) {
      const { text: own = '', hex, repeat, ...frame } = operation.frame
      const content = repeat === undefined ? own : repeat.text.repeat(repeat.times)
      const payload = hex === undefined ? Buffer.from(content) : fromHex(hex)
      live.log.note(`a frame: ${JSON.stringify(frame)}, ${payload.length} bytes`)
      if (frame.opcode === opcodes.close) live.send({ ...frame, payload })
      else live.write(encodeFrame({ ...frame, payload }))
    }
  }
}

/** The text messages that an operation sends, if it does. */
function textOf(operation: StreamedOperation): readonly string[] | undefined {
  if ('send' in operation) return [JSON.stringify(operation.send)]
  if ('text' in operation) return [operation.text]
  if (!('repeat' in operation)) return undefined
  const { text, times, counter } = operation.repeat
  return Array.from({ length: times }, (_, at) =>
    counter === undefined ? text : text.replaceAll(counter, String(at)),
  )
}
