import type { HeldBytes } from './message-reader.js'
import type { SubscribePayload } from './messages.js'
import { completeMessage, errorMessage, nextMessage } from './messages.js'
import type { OperationOutlet, Running } from './operations.js'

export type StopCause = Parameters<Running['stop']>[0]

/** The part of a socket that its operations need. */
export interface OperationPort {
  send(text: string): void
  /** Whether the client has to read before more is sent. */
  readonly isFull: boolean
  start(payload: SubscribePayload, outlet: OperationOutlet): Running
  /** The last operation has ended by itself. */
  idle(): void
  /** Ends the socket so that its client connects again. */
  shutDown(): void
}

/** One operation. It is over once it is not in the list any more, whatever its source still does. */
class RunningOperation implements OperationOutlet {
  readonly id: string
  readonly #jsonId: string
  readonly #list: RunningOperations
  /** The size of its message, until it has ended or is a stream. Hooks and resolvers can read what was made of it. */
  bytes: number
  /** Undefined until it has started. */
  running: Running | undefined
  cause: StopCause | undefined
  isOver = false

  constructor(id: string, bytes: number, list: RunningOperations) {
    this.id = id
    this.#jsonId = JSON.stringify(id)
    this.bytes = bytes
    this.#list = list
  }

  next(result: string): boolean {
    return this.isOver || this.#list.send(this, nextMessage(this.#jsonId, result))
  }

  complete(): void {
    this.#list.end(this, completeMessage(this.#jsonId))
  }

  error(errors: string): void {
    this.#list.end(this, errorMessage(this.#jsonId, errors))
  }

  opened(): void {
    this.#list.giveBack(this)
  }

  interrupt(): void {
    if (!this.isOver) this.#list.port.shutDown()
  }
}

interface WaitingOperation {
  readonly operation: RunningOperation
  readonly payload: SubscribePayload
}

const none: readonly RunningOperation[] = []

/** The operations of a socket, by their ids. */
export class RunningOperations {
  readonly port: OperationPort
  /** Their messages. */
  readonly #held: HeldBytes
  /** Most sockets have one: a map for each would take as much as everything else here. */
  #running: readonly RunningOperation[] = none
  /** One that will start when the client has read enough; no message is read until then. */
  #waiting: WaitingOperation | undefined
  /** Those that will be resumed when the client has read enough. */
  #blocked: Set<RunningOperation> | undefined

  constructor(port: OperationPort, held: HeldBytes) {
    this.port = port
    this.#held = held
  }

  get size(): number {
    return this.#running.length
  }

  /** Whether an operation waits for the client to read. */
  get hasWaiting(): boolean {
    return this.#waiting !== undefined
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined
  }

  /**
   * Starts an operation, or lets it wait: the results of queries need as much room as those of streams. Returns false if there is
   * no room for its message.
   */
  add(id: string, payload: SubscribePayload, bytes: number): boolean {
    if (!this.#held.add(bytes)) return false
    const operation = new RunningOperation(id, bytes, this)
    this.#running = this.#running.concat(operation)
    if (this.port.isFull) this.#waiting = { operation, payload }
    else this.#start({ operation, payload })
    return true
  }

  /** The client has ended an operation. Ids of operations that are over, or never were, are ignored. */
  complete(id: string): void {
    const operation = this.#find(id)
    if (operation === undefined) return
    this.#stop(operation, 'client-complete')
    if (this.size === 0) this.port.idle()
  }

  stopAll(cause: StopCause): void {
    const all = this.#running
    this.#running = none
    for (const operation of all) this.#stop(operation, cause)
  }

  /** Stops what may go on for ever, and what has not started. What ends soon by itself goes on. */
  stopStreams(cause: StopCause): void {
    for (const operation of this.#running) {
      if (operation.running?.isStream !== false) this.#stop(operation, cause)
    }
  }

  /** The client has read: goes on with what had to wait for that, while there is room. */
  resume(): void {
    if (this.port.isFull) return
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) this.#start(waiting)
    for (const operation of this.#blocked ?? []) {
      if (this.port.isFull) return
      this.#blocked?.delete(operation)
      operation.running?.resume()
    }
  }

  /** Sends the message with a result; false if the client has to read before the next one. */
  send(operation: RunningOperation, message: string): boolean {
    this.port.send(message)
    if (!this.port.isFull) return true
    ;(this.#blocked ??= new Set()).add(operation)
    return false
  }

  /** An operation has ended by itself. */
  end(operation: RunningOperation, message: string): void {
    if (operation.isOver) return
    this.#forget(operation)
    this.giveBack(operation)
    this.port.send(message)
    if (this.size === 0) this.port.idle()
  }

  giveBack(operation: RunningOperation): void {
    this.#held.add(-operation.bytes)
    operation.bytes = 0
  }

  #find(id: string): RunningOperation | undefined {
    return this.#running.find((operation) => operation.id === id)
  }

  #start({ operation, payload }: WaitingOperation): void {
    operation.running = this.port.start(payload, operation)
    if (operation.cause !== undefined) this.#release(operation, operation.cause)
  }

  #stop(operation: RunningOperation, cause: StopCause): void {
    this.#forget(operation)
    operation.cause = cause
    this.#release(operation, cause)
  }

  /** Resolvers that still run may use what was made of the message. */
  #release(operation: RunningOperation, cause: StopCause): void {
    const giveBack = (): void => this.giveBack(operation)
    const work = operation.running?.stop(cause)
    if (work === undefined) giveBack()
    else work.then(giveBack, giveBack)
  }

  #forget(operation: RunningOperation): void {
    operation.isOver = true
    this.#running = this.#running.filter((other) => other !== operation)
    if (this.#waiting?.operation === operation) this.#waiting = undefined
    this.#blocked?.delete(operation)
  }
}
