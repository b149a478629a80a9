import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { HasStreamDefect } from './defects.js'
import { errorsOf, type Operations, type Params, type Prepared } from './operations.js'

/** The field that has the token of a reservation. */
export const tokenField = 'x-graphql-event-stream-token'

interface Reservation {
  stream: ServerResponse | undefined
  readonly sources: Map<string, AsyncIterator<object>>
}

/** The single connection mode of GraphQL over SSE. */
export class SingleMode {
  readonly #reservations = new Map<string, Reservation>()
  readonly #operations: Operations
  readonly #has: HasStreamDefect
  readonly #sources: Set<AsyncIterator<object>>

  constructor(operations: Operations, has: HasStreamDefect, sources: Set<AsyncIterator<object>>) {
    this.#operations = operations
    this.#has = has
    this.#sources = sources
  }

  async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers, url = '' } = incoming
    if (method === 'PUT') return this.#reserve(response)
    const reservation = this.#reservations.get(String(headers[tokenField]))
    const isIgnored = this.#has('single-token-ignored')
    if (reservation === undefined && !isIgnored) return void response.writeHead(404).end()
    const known = reservation ?? { stream: undefined, sources: new Map() }
    if (method === 'GET') return this.#open(known, response)
    if (method === 'DELETE') {
      const id = new URL(url, 'http://localhost').searchParams.get('operationId') ?? ''
      if (!this.#has('single-source-kept')) void known.sources.get(id)?.return?.()
      return void response.end()
    }
    const params = JSON.parse(await text(incoming)) as Params & {
      extensions?: { operationId?: string }
    }
    response.writeHead(this.#has('single-status-200') ? 200 : 202).end()
    await this.#run(known, params, params.extensions?.operationId ?? '')
  }

  #reserve(response: ServerResponse): void {
    const token = randomUUID()
    this.#reservations.set(token, { stream: undefined, sources: new Map() })
    response.writeHead(this.#has('single-reserved-200') ? 200 : 201).end(token)
  }

  #open(reservation: Reservation, response: ServerResponse): void {
    if (reservation.stream !== undefined && !this.#has('single-token-shared')) {
      return void response.writeHead(409).end()
    }
    reservation.stream = response
    const type = this.#has('single-type-odd') ? 'text/x-event-stream' : 'text/event-stream'
    response.writeHead(200, { 'content-type': type }).write(':\n\n')
    response.once('close', () => {
      for (const source of reservation.sources.values()) void source.return?.()
    })
  }

  async #run(reservation: Reservation, params: Params, id: string): Promise<void> {
    const has = this.#has
    const shown = has('single-ids-mixed') ? ([...reservation.sources.keys()][0] ?? id) : id
    const send = (name: string, payload?: object): void => {
      const data = has('single-data-bare') ? (payload ?? {}) : { id: shown, payload }
      reservation.stream?.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    }
    const prepared: Prepared = this.#operations.prepare(params)
    if (prepared.kind === 'errors') send('next', prepared.result)
    else if (prepared.kind !== 'subscription')
      send('next', await this.#operations.execute(prepared))
    else {
      const source = await this.#operations.subscribe(prepared)
      this.#sources.add(source)
      reservation.sources.set(id, source)
      try {
        for (let next = await source.next(); next.done !== true; next = await source.next()) {
          send('next', await this.#operations.execute(prepared, next.value))
        }
      } catch (error) {
        send('next', errorsOf(error))
      }
    }
    send('complete')
  }
}
