import type { HasStreamDefect } from './defects.js'
import { errorsOf, type Operations, type Prepared, type Result } from './operations.js'

/** What an operation may do with its socket. */
export interface OperationSocket {
  send(type: string, payload?: unknown): void
  close(code: number): void
  ended(): void
  opened(source: AsyncIterator<object>): void
}

type Runnable = Extract<Prepared, { kind: 'query' | 'mutation' | 'subscription' }>

/** An operation of a socket. */
export class SessionOperation {
  readonly kind: Prepared['kind']
  readonly #prepared: Prepared
  readonly #operations: Operations
  readonly #has: HasStreamDefect
  readonly #socket: OperationSocket
  #source: AsyncIterator<object> | undefined
  #isOver = false

  constructor(
    prepared: Prepared,
    operations: Operations,
    has: HasStreamDefect,
    socket: OperationSocket,
  ) {
    this.kind = prepared.kind
    this.#prepared = prepared
    this.#operations = operations
    this.#has = has
    this.#socket = socket
  }

  /** The client does not want more of it. */
  complete(): void {
    this.#isOver = true
    if (!this.#has('ws-source-kept-waiting')) this.end()
  }

  /** Closes its source. */
  end(): void {
    this.#isOver = true
    void this.#source?.return?.()
  }

  async run(): Promise<void> {
    const prepared = this.#prepared
    if (prepared.kind === 'errors') this.#fail(prepared.result)
    else if (prepared.kind === 'subscription') await this.#subscribe(prepared)
    else if (prepared.kind === 'mutation' && this.#has('ws-mutation-refused')) {
      this.#fail(errorsOf('No mutations.'))
    } else if (prepared.kind === 'query' && this.#has('ws-query-refused')) {
      this.#fail(errorsOf('No queries.'))
    } else await this.#execute(prepared)
    this.#socket.ended()
  }

  async #execute(prepared: Runnable): Promise<void> {
    const result = await this.#operations.execute(prepared)
    const isLate = this.#isOver && !this.#has('ws-late-result')
    if (isLate) return
    if (!('data' in result)) {
      if (!this.#has('ws-coercion-unanswered')) this.#fail(result)
      return
    }
    this.#send('next', result)
    if (this.#has('ws-result-twice')) this.#send('next', result)
    this.#finish()
  }

  async #subscribe(prepared: Runnable): Promise<void> {
    const has = this.#has
    try {
      this.#source = await this.#operations.subscribe(prepared)
    } catch (error) {
      if (!has('ws-refused-unanswered')) this.#fail(errorsOf(error))
      return
    }
    this.#socket.opened(this.#source)
    if (this.#isOver) return this.end()
    try {
      await this.#forward(this.#source, prepared)
    } catch (error) {
      if (this.#isOver) return
      if (has('ws-source-error-closes')) return this.#socket.close(4500)
      if (has('ws-source-error-complete')) this.#send('error', errorsOf(error).errors)
      else return this.#fail(errorsOf(error))
      return this.#finish()
    }
  }

  async #forward(source: AsyncIterator<object>, prepared: Runnable): Promise<void> {
    const has = this.#has
    const held: Result[] = []
    for (;;) {
      const next = await source.next()
      if (this.#isOver) return this.end()
      if (next.done === true) break
      const result = await this.#operations.execute(prepared, next.value)
      if (has('ws-buffered') || has('ws-order-reversed')) held.push(result)
      else this.#send('next', result)
      if (result.errors !== undefined && has('ws-field-error-ends')) break
    }
    if (has('ws-order-reversed')) held.reverse()
    for (const result of held) this.#send('next', result)
    this.#finish()
  }

  #fail({ errors = [] }: Result): void {
    const has = this.#has
    if (has('ws-error-closes')) return this.#socket.close(4400)
    if (has('ws-errors-in-next')) {
      this.#send('next', { errors })
      return this.#finish()
    }
    this.#send('error', has('ws-error-object') ? errors[0] : errors)
    if (has('ws-error-then-complete')) this.#finish()
  }

  #finish(): void {
    if (!this.#has('ws-complete-missing')) this.#send('complete')
  }

  #send(type: string, payload?: unknown): void {
    this.#socket.send(type, payload)
  }
}
