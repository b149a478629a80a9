import type { HasStreamDefect } from './defects.js'
import { errorsOf, type Operations, type Params, type Prepared } from './operations.js'
import { SessionOperation } from './session-operation.js'
import type { ServerSocket, SocketEvents } from './socket.js'

/** How long the server waits for connection_init. */
const initTimeoutMs = 700

/** The most operations of a socket. */
const maxOperations = 100

interface Message {
  readonly id?: unknown
  readonly type?: unknown
  readonly payload?: unknown
}

/** A connection of graphql-transport-ws. */
export class Session implements SocketEvents {
  readonly #socket: ServerSocket
  readonly #operations: Operations
  readonly #has: HasStreamDefect
  readonly #sources: Set<AsyncIterator<object>>
  readonly #active = new Map<unknown, SessionOperation>()
  readonly #used = new Set<unknown>()
  readonly #timer: NodeJS.Timeout
  #state: 'opened' | 'pending' | 'acknowledged' = 'opened'
  #latestId: unknown

  constructor(
    socket: ServerSocket,
    operations: Operations,
    has: HasStreamDefect,
    sources: Set<AsyncIterator<object>>,
  ) {
    this.#socket = socket
    this.#operations = operations
    this.#has = has
    this.#sources = sources
    this.#timer = setTimeout(() => {
      if (!has('ws-init-unlimited')) socket.close(has('ws-init-time-out-4400') ? 4400 : 4408)
    }, initTimeoutMs)
    if (has('ws-ack-unasked')) setTimeout(() => socket.send({ type: 'connection_ack' }), 5)
  }

  onText(text: string): void {
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      return this.#refuseUnless('ws-json-unchecked')
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      return this.#refuseUnless('ws-list-ignored')
    }
    this.#take(message)
  }

  onBinary(bytes: Buffer): void {
    if (this.#has('ws-binary-accepted')) return this.onText(bytes.toString())
    this.#socket.close(4400)
  }

  onClose(isCut: boolean): void {
    clearTimeout(this.#timer)
    if (this.#has('ws-source-kept') || (isCut && this.#has('ws-source-kept-cut'))) return
    for (const one of this.#active.values()) one.end()
  }

  #refuseUnless(name: Parameters<HasStreamDefect>[0], code = 4400): void {
    if (!this.#has(name)) this.#socket.close(code)
  }

  #take(message: Message): void {
    switch (message.type) {
      case 'connection_init':
        return this.#init(message)
      case 'ping':
        return this.#ping(message)
      case 'pong':
        return this.#has('ws-pong-refused') ? this.#socket.close(4400) : undefined
      case 'subscribe':
        return this.#subscribe(message)
      case 'complete':
        return this.#complete(message)
      case 'next':
      case 'error':
      case 'connection_ack':
        return this.#refuseUnless('ws-server-types')
      case 'constructor':
        return this.#refuseUnless('ws-type-inherited')
      default:
        return this.#refuseUnless('ws-type-ignored')
    }
  }

  #init({ payload }: Message): void {
    const has = this.#has
    if (payload === null && has('ws-init-null-refused')) return this.#socket.close(4400)
    if (Array.isArray(payload) && !has('ws-init-list-accepted')) return this.#socket.close(4400)
    if (payload != null && has('ws-init-payload-refused')) return this.#socket.close(4400)
    if (this.#state === 'acknowledged') return this.#initAgain('ws-init-twice-accepted')
    if (this.#state === 'pending') return this.#initAgain('ws-init-twice-pending')
    this.#state = 'pending'
    clearTimeout(this.#timer)
    if (isRefused(payload)) return this.#socket.close(has('ws-init-refused-4401') ? 4401 : 4403)
    setTimeout(() => {
      if (has('ws-ack-missing')) return
      this.#state = 'acknowledged'
      const ack = has('ws-ack-payload-list') ? { payload: [] } : {}
      this.#socket.send({ type: 'connection_ack', ...ack })
      if (has('ws-ack-twice')) this.#socket.send({ type: 'connection_ack' })
    }, 5)
  }

  #initAgain(name: 'ws-init-twice-accepted' | 'ws-init-twice-pending'): void {
    if (!this.#has(name)) return this.#socket.close(4429)
    if (name === 'ws-init-twice-accepted') this.#socket.send({ type: 'connection_ack' })
  }

  #ping({ payload }: Message): void {
    const has = this.#has
    if (has('ws-ping-ignored')) return
    if (Array.isArray(payload) && !has('ws-ping-list-accepted')) return this.#socket.close(4400)
    if (this.#state === 'opened' && has('ws-ping-needs-init')) return this.#socket.close(4401)
    this.#socket.send({ type: 'pong', ...(!has('ws-pong-empty') && { payload }) })
  }

  #complete({ id }: Message): void {
    const has = this.#has
    const one = this.#active.get(id)
    if (one === undefined) {
      const refused = this.#used.has(id) ? 'ws-late-complete-refused' : 'ws-unknown-id-refused'
      return has(refused) || has('ws-unknown-id-refused') ? this.#socket.close(4400) : undefined
    }
    if (has('ws-complete-ignored')) return
    if (!has('ws-id-kept-while-returning')) this.#active.delete(id)
    if (has('ws-complete-echoed')) this.#socket.send({ id, type: 'complete' })
    if (has('ws-late-result') && one.kind !== 'subscription') return
    if (has('ws-old-complete')) setTimeout(() => this.#socket.send({ id, type: 'complete' }), 1)
    one.complete()
  }

  #subscribe(message: Message): void {
    const has = this.#has
    if (this.#state !== 'acknowledged' && !has('ws-init-not-needed')) {
      return this.#socket.close(4401)
    }
    const { id, payload } = message
    if (!isId(id, has)) return this.#socket.close(4400)
    if (typeof payload !== 'object' || payload === null) {
      return this.#refuseUnless('ws-payload-missing')
    }
    if (has('ws-unknown-refused') && Object.keys(message).length > 3) {
      return this.#socket.close(4400)
    }
    if (!areParams(payload, has)) return this.#socket.close(4400)
    this.#start(id, payload as Params)
  }

  #start(id: unknown, params: Params): void {
    const has = this.#has
    const isKept = has('ws-ids-inherited') && String(id) in {}
    const query = { ...params, query: typeof params.query === 'string' ? params.query : '{' }
    const prepared = this.#operations.prepare(
      has('ws-name-ignored') ? { ...query, operationName: undefined } : query,
    )
    const wasUsed = this.#used.has(id) && this.#isKept(prepared, id)
    if (this.#isDuplicate(id) || isKept || wasUsed) {
      return this.#socket.close(has('ws-duplicate-4400') ? 4400 : 4409)
    }
    if (this.#active.size >= maxOperations && !has('ws-operations-unlimited')) {
      return this.#socket.send({ id, type: 'error', payload: errorsOf('Too many.').errors ?? [] })
    }
    this.#used.add(id)
    this.#latestId = id
    const isBusy = has('ws-one-at-a-time') && this.#active.size > 0
    if (isBusy) return
    this.#run(id, prepared)
  }

  #isDuplicate(id: unknown): boolean {
    const one = this.#active.get(id)
    if (one === undefined) return false
    return !this.#has(
      one.kind === 'subscription' ? 'ws-duplicate-subscription' : 'ws-duplicate-query',
    )
  }

  #isKept(prepared: Prepared, id: unknown): boolean {
    if (this.#has('ws-id-kept')) return true
    return (
      this.#has('ws-id-kept-after-error') && prepared.kind !== 'errors' && !this.#active.has(id)
    )
  }

  #run(id: unknown, prepared: Prepared): void {
    const one = new SessionOperation(prepared, this.#operations, this.#has, {
      send: (type: string, payload?: unknown) => {
        const shown = this.#has('ws-ids-mixed') ? this.#latestId : id
        this.#socket.send({ id: shown, type, ...(payload !== undefined && { payload }) })
      },
      close: (code: number) => this.#socket.close(code),
      ended: () => {
        if (this.#active.get(id) === one) this.#active.delete(id)
      },
      opened: (source: AsyncIterator<object>) => void this.#sources.add(source),
    })
    this.#active.set(id, one)
    void one.run()
  }
}

/** No token is known here. */
function isRefused(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'Authorization' in payload
}

function isId(id: unknown, has: HasStreamDefect): boolean {
  if (id === undefined) return has('ws-id-missing')
  if (typeof id === 'number') return has('ws-id-number')
  return typeof id === 'string' && (id !== '' || has('ws-id-empty'))
}

function areParams(payload: object, has: HasStreamDefect): boolean {
  const { query, operationName, variables } = payload as Record<string, unknown>
  if (typeof query !== 'string' && !has('ws-query-object')) return false
  if (operationName === null && has('ws-null-refused')) return false
  return !Array.isArray(variables) || has('ws-variables-list')
}
