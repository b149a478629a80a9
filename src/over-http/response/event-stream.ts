import type { HeaderList, Sink } from '../../http/message.js'
import type { EndCause } from '../../streams/end-cause.js'
import type { Outlet } from '../../streams/outlet.js'
import { negotiatedHeaders } from '../response-types.js'

/*
 * Server-Sent Events in the distinct connections mode of the GraphQL over SSE protocol. Lines end with LF, and
 * `data:` of the last event has no space behind it: a client that is in wide use splits at LF LF, and parses the rest as JSON.
 */

/**
 * `no-transform` keeps proxies from compressing, which would hold back events; nginx buffers a response without the last one.
 */
export function streamHeaders(contentType: string): HeaderList {
  const caching = ['Cache-Control', 'no-store, no-transform']
  return negotiatedHeaders(contentType, ...caching, 'X-Accel-Buffering', 'no')
}

export const eventStreamHeaders: HeaderList = streamHeaders('text/event-stream; charset=utf-8')

/** A comment. Browsers wait for a first byte before they consider a stream open. */
export const comment = ':\n\n'

/** EventSource drops an event without `data`. */
export const complete = 'event: complete\ndata:\n\n'

/** The whole stream of a single result. */
export function wholeEventStream(result: string): string {
  return `${comment}${toFields(result)}\n\n${complete}`
}

/** How results and errors become fields of an event. */
export interface EventFields {
  result(this: void, result: string): string
  errors(this: void, errors: string): string
}

const graphqlFields: EventFields = {
  result: toFields,
  errors: (errors) => toFields(`{"errors":${errors}}`),
}

export function openEventStream(sink: Sink, fields: EventFields = graphqlFields): Outlet {
  sink.write(comment)
  return new EventStream(sink, fields)
}

class EventStream implements Outlet {
  readonly #sink: Sink
  readonly #fields: EventFields

  constructor(sink: Sink, fields: EventFields) {
    this.#sink = sink
    this.#fields = fields
  }

  next(result: string, id: string | undefined): boolean {
    const idField = id === undefined ? '' : `id: ${id}\n`
    return this.#sink.write(`${idField}${this.#fields.result(result)}\n\n`)
  }

  /** Without data, it moves the point from which the client resumes, and is not an event. */
  position(id: string): boolean {
    return this.#sink.write(`id: ${id}\n\n`)
  }

  heartbeat(): boolean {
    return this.#sink.write(comment)
  }

  end(cause: EndCause, errors: string | undefined): void {
    switch (cause) {
      case 'client-gone':
        return undefined
      case 'slow-reader':
        return this.#sink.cut()
      case 'shutdown':
      case 'interrupted':
      case 'too-long':
        // Without `complete`, which ends a subscription for clients, they connect again.
        this.#sink.write(`retry: ${1000 + Math.floor(Math.random() * 4000)}\n\n`)
        return this.#sink.end()
      case 'complete':
      case 'source-failed':
      case 'client-complete':
      case 'expired':
        this.#sink.write(
          errors === undefined ? complete : `${this.#fields.errors(errors)}\n\n${complete}`,
        )
        return this.#sink.end()
    }
  }
}

export function toFields(result: string): string {
  return `event: next
data: ${result}`
}

/*
 * Subscriptions as Apollo's clients read them over HTTP. They deliver a part when they see the delimiter behind it, so each
 * part is sent with the delimiter of the next one. Without the last one, they report that the stream broke off.
 */

export const multipartEventHeaders: HeaderList = streamHeaders(
  'multipart/mixed; boundary="graphql"; subscriptionSpec=1.0',
)

const delimiter = '\r\n--graphql'

export function openMultipartEvents(sink: Sink): Outlet {
  sink.write(delimiter)
  return {
    next: (result) => sink.write(toPart(`{"payload":${result}}`)),
    heartbeat: () => sink.write(toPart('{}')),
    end(cause, errors) {
      if (cause === 'client-gone') return
      if (cause === 'slow-reader') return sink.cut()
      if (errors !== undefined) {
        // Errors that are not those of the operation are outside of the payload.
        const isOfSource = cause === 'source-failed'
        const payload = isOfSource ? `{"errors":${errors}}` : `null,"errors":${errors}`
        sink.write(toPart(`{"payload":${payload}}`))
      }
      sink.write('--\r\n')
      sink.end()
    },
  }
}

function toPart(json: string): string {
  return `\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${json}${delimiter}`
}
