import type { UnreadBudget } from '../base/unread-budget.js'
import type { ByteBudget } from '../base/byte-budget.js'
import type { JsonObject } from '../base/json.js'
import type { Outcome } from '../base/outcome.js'
import { isPromise } from '../base/promise.js'
import type { RequestHead } from '../http/message.js'
import { stopCauses, toCloseFrame } from './close-reasons.js'
import { completeHead, identify } from './credentials.js'
import {
  ackMessage,
  pongMessage,
  tooManyMessage,
  noRoomMessage,
  type ClientMessage,
  type SubscribePayload,
} from './messages.js'
import { HeldBytes, MessageReader, type ReaderParts } from './message-reader.js'
import { Outbox, VitalSigns, type ClientOf, type SocketPort } from './socket.js'
import type { OperationOutlet, Running, SocketClient, SocketOperations } from './operations.js'
import { RunningOperations, type OperationPort } from './running-operations.js'
import { isState, nextState, type SessionEvent, type SessionState } from './session-states.js'

export interface SessionParts extends ReaderParts {
  readonly unread: UnreadBudget
  readonly closing: ByteBudget
  /** The bytes of messages whose operations run: parsed, they take up to ten times their weight. */
  readonly forRun: ByteBudget
  /** Called when a client may run operations, and when a session has closed. */
  settled(this: void, session: Session): void
}

/**
 * A socket of graphql-transport-ws; its life is the table in `session-states.ts`. It does no I/O: a host connects it to a
 * socket, and tells it what arrives. None of its functions throws.
 */
export class Session implements OperationPort {
  #state: SessionState = 'opened'
  readonly #head: RequestHead
  readonly #port: SocketPort
  readonly #parts: SessionParts
  readonly #held: HeldBytes
  readonly #operations: RunningOperations
  readonly #signs: VitalSigns
  #client: SocketClient | undefined
  /** Ends what waits for the client, or watches its credentials. */
  #onClosed: (() => void) | undefined
  readonly #reader: MessageReader
  readonly #outbox: Outbox

  constructor(head: RequestHead, port: SocketPort, parts: SessionParts, now: number) {
    const { rules, operations } = parts
    const clientOf: ClientOf = () => operations.clientOf(head)
    this.#head = head
    this.#port = port
    this.#parts = parts
    this.#signs = new VitalSigns(operations.limits, rules.connectionInitTimeout, now)
    this.#held = new HeldBytes(parts.forRun, clientOf)
    this.#operations = new RunningOperations(this, this.#held)
    this.#reader = new MessageReader(clientOf, parts, this, now)
    this.#outbox = new Outbox(clientOf, port, parts, this)
  }

  get state(): SessionState {
    return this.#state
  }

  receive(text: string): void {
    if (this.#state === 'closed') return this.heard()
    this.guard(() => {
      this.#signs.heard()
      if (!this.#reader.receive(text)) this.#cut('flooded')
    })
  }

  /** So many bytes of a message have arrived that is not complete; 0 when it is. */
  receivePart(bytes: number): void {
    if (!this.#reader.inbox.hold(bytes)) this.#cut('flooded')
  }

  /** The protocol has no binary messages. */
  receiveBinary(): void {
    if (this.#state === 'closed') return this.heard()
    this.#on('invalid', 'A message must be text')
  }

  /** Counts a frame that cannot wait: a ping, a pong, or any that comes after our close frame, until the client answers it. */
  heard(): void {
    this.#signs.heard()
    if (!this.#reader.heard()) this.#cut('flooded')
  }

  /** The client has read what was sent, or nearly all. */
  drained(): void {
    if (this.#state === 'closed') return
    this.guard(() => {
      this.#outbox.count()
      this.#signs.drained()
      this.#outbox.sendPong()
      this.#operations.resume()
      this.#reader.isHeld = this.#operations.hasWaiting
      this.#reader.readOn()
    })
  }

  /** The clock looks, about once per second. */
  look(now: number): void {
    if (this.#state === 'closed') return
    this.guard(() => {
      this.#reader.rate.refill(now)
      this.#outbox.count()
      const finding = this.#signs.look(now, this.#port)
      if (finding === 'silent') this.#cut('gone')
      else if (finding !== undefined) this.#on(finding)
      // What was still being prepared when the server began to shut down may have become a stream.
      if (this.#state === 'leaving') this.shutDown()
      this.#reader.readOn()
    })
  }

  /** Ends the socket so that its client connects again, elsewhere. */
  shutDown(): void {
    this.guard(() => {
      this.#operations.stopStreams('shutdown')
      this.#on(this.#operations.size === 0 ? 'shutDown' : 'shutDownBusy')
    })
  }

  /** The socket has closed, is closing, or is broken. */
  gone(): void {
    this.#on('gone')
  }

  /** The socket has closed: nothing of it is in memory any more. */
  release(): void {
    this.gone()
    this.#reader.inbox.hold(0)
    this.#outbox.closed()
  }

  /** Too much is unread, most of it by this client. Cuts the socket: a close frame would have to wait. */
  overrun(): void {
    this.guard(() => this.#cut('stalled'))
  }

  send(text: string): void {
    this.#outbox.send(text)
  }

  get isFull(): boolean {
    return this.#outbox.isFull
  }

  start(payload: SubscribePayload, outlet: OperationOutlet): Running {
    return this.#parts.operations.start(this.#client as SocketClient, payload, outlet)
  }

  idle(): void {
    this.#on('idle')
  }

  handle(message: Outcome<ClientMessage, string>, bytes: number): void {
    if (message.ok) this.#obey(message.value, bytes)
    else this.#on('invalid', message.reason)
  }

  #obey(message: ClientMessage, bytes: number): void {
    const isDuplicate = message.type === 'subscribe' && this.#operations.has(message.id)
    this.#on(isDuplicate ? 'duplicate' : message.type, 'id' in message ? message.id : undefined)
    if (this.#state === 'closed') return
    if (message.type === 'connection_init') this.#authenticate(message.payload, bytes)
    else if (message.type === 'ping') this.#outbox.sendPong(pongMessage(message.payload))
    else if (message.type === 'complete') this.#operations.complete(message.id)
    else if (message.type === 'subscribe') this.#subscribe(message, bytes)
  }

  #authenticate(payload: JsonObject | undefined, bytes: number): void {
    const head = completeHead(this.#head, payload)
    const admit = (outcome: Awaited<ReturnType<SocketOperations['authenticate']>>): void => {
      if (!outcome.ok) return this.#on(outcome.reason.kind, outcome.reason.message)
      this.#on('admitted')
      if (this.#state === 'closed') return
      this.#client = { head, principal: outcome.value }
      const stop = this.#parts.operations.watch(this.#client, () => this.#on('expired'))
      if (this.state === 'closed') return stop()
      this.#onClosed = stop
      this.send(ackMessage)
      this.#parts.settled(this)
    }
    const onClientGone = (listener: () => void): void => void (this.#onClosed = listener)
    const init = { head, payload, bytes, onClientGone }
    const outcome = identify(init, this.#held, this.#parts.operations)
    if (isPromise(outcome)) outcome.then(admit).catch((bug: unknown) => this.#fail(bug))
    else admit(outcome)
  }

  #subscribe({ id, payload }: ClientMessage & { readonly type: 'subscribe' }, bytes: number): void {
    if (this.#state !== 'acknowledged') return
    const { maxStreamsPerSocket: most } = this.#parts.rules
    if (this.isFull) this.#reader.isHeld = true
    if (this.#operations.size >= most) this.send(tooManyMessage(id, most))
    else if (!this.#outbox.hasRoom || !this.#operations.add(id, payload, bytes)) {
      this.send(noRoomMessage(id))
    }
  }

  /** Nothing more is read, not even the answer to the close frame. */
  #cut(event: SessionEvent): void {
    this.#on(event)
    this.#port.terminate()
  }

  /** `detail` goes into the text of the close frame. */
  #on(event: SessionEvent, detail = ''): void {
    const before = this.#state
    const way = nextState(before, event)
    this.#state = isState(way) ? way : 'closed'
    if (this.#state !== 'closed' || before === 'closed') return
    this.#reader.inbox.clear()
    if (!isState(way)) {
      const { code, reason } = toCloseFrame(way, detail)
      this.#port.close(code, reason)
    }
    this.#outbox.end()
    this.#operations.stopAll(isState(way) ? 'client-gone' : (stopCauses[way] ?? 'client-gone'))
    this.#onClosed?.()
    this.#parts.settled(this)
  }

  /** A bug closes the socket. */
  guard(work: () => void): void {
    try {
      work()
    } catch (bug) {
      this.#fail(bug)
    }
  }

  #fail(bug: unknown): void {
    this.#parts.operations.reportBug(bug, this.#head)
    this.#on('failed')
  }
}
