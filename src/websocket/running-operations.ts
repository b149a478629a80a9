import type { SubscribePayload } from './messages.js'
import { completeMessage, errorMessage, nextMessage } from './messages.js'
import type { OperationOutlet, Running } from './operations.js'

/** Why operations are stopped. */
export type StopCause = Parameters<Running['stop']>[0]

/** What the operations of a socket need of it. */
export interface OperationPort {
  send(this: void, text: string): void
  /** Whether the client has to read before more is sent. */
  isFull(this: void): boolean
  start(this: void, payload: SubscribePayload, outlet: OperationOutlet): Running
  /** The last operation has ended by itself. */
  idle(this: void): void
}

/** One operation. It is over once it is not in the list any more, whatever its source still does. */
interface Operation {
  readonly id: string
  /** Until it has started. */
  payload: SubscribePayload | undefined
  /** Once it has started. */
  running: Running | undefined
  /** Why it was stopped. */
  cause: StopCause | undefined
  isOver: boolean
}

/** The operations of a socket, by their ids. */
export class RunningOperations {
  readonly #port: OperationPort
  readonly #byId = new Map<string, Operation>()
  /** Those that will start when the client has read enough. */
  #waiting: Set<Operation> | undefined
  /** Those that will be resumed when the client has read enough. */
  #blocked: Set<Operation> | undefined

  constructor(port: OperationPort) {
    this.#port = port
  }

  get size(): number {
    return this.#byId.size
  }

  /** Whether operations wait for the client to read. */
  get hasWaiting(): boolean {
    return this.#waiting !== undefined && this.#waiting.size > 0
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** Starts an operation, or lets it wait: the results of queries need as much room as those of streams. */
  add(id: string, payload: SubscribePayload): void {
    const operation = { id, payload, running: undefined, cause: undefined, isOver: false }
    this.#byId.set(id, operation)
    if (this.#port.isFull()) (this.#waiting ??= new Set()).add(operation)
    else this.#start(operation)
  }

  /** The client has ended an operation. Ids of operations that are over, or never were, are ignored. */
  complete(id: string): void {
    const operation = this.#byId.get(id)
    if (operation === undefined) return
    this.#stop(operation, 'client-complete')
    if (this.#byId.size === 0) this.#port.idle()
  }

  stopAll(cause: StopCause): void {
    for (const operation of this.#byId.values()) this.#stop(operation, cause)
  }

  /** Stops what may go on for ever, and what has not started. What ends soon by itself goes on. */
  stopStreams(cause: StopCause): void {
    for (const operation of this.#byId.values()) {
      if (operation.running?.isStream !== false) this.#stop(operation, cause)
    }
  }

  /** The client has read: goes on with what had to wait for that, while there is room. */
  resume(): void {
    for (const operation of this.#waiting ?? []) {
      if (this.#port.isFull()) return
      this.#waiting?.delete(operation)
      this.#start(operation)
    }
    for (const operation of this.#blocked ?? []) {
      if (this.#port.isFull()) return
      this.#blocked?.delete(operation)
      operation.running?.resume()
    }
  }

  #start(operation: Operation): void {
    const { id, payload } = operation
    operation.payload = undefined
    const jsonId = JSON.stringify(id)
    const running = this.#port.start(payload as SubscribePayload, {
      next: (result) => {
        if (operation.isOver) return true
        this.#port.send(nextMessage(jsonId, result))
        if (!this.#port.isFull()) return true
        ;(this.#blocked ??= new Set()).add(operation)
        return false
      },
      complete: () => this.#end(operation, completeMessage(jsonId)),
      error: (errors) => this.#end(operation, errorMessage(jsonId, errors)),
    })
    if (operation.cause !== undefined) running.stop(operation.cause)
    else operation.running = running
  }

  /** An operation has ended by itself. */
  #end(operation: Operation, message: string): void {
    if (operation.isOver) return
    this.#forget(operation)
    this.#port.send(message)
    if (this.#byId.size === 0) this.#port.idle()
  }

  #stop(operation: Operation, cause: StopCause): void {
    this.#forget(operation)
    operation.cause = cause
    operation.running?.stop(cause)
  }

  #forget(operation: Operation): void {
    operation.isOver = true
    this.#byId.delete(operation.id)
    this.#waiting?.delete(operation)
    this.#blocked?.delete(operation)
  }
}
