import type { HeaderList, Sink } from '../../http/message.js'
import type { Outlet } from '../../streams/outlet.js'

/*
 * Server-Sent Events in the distinct connections mode of the GraphQL over SSE protocol. Lines end with LF, and
 * `data:` of the last event has no space behind it: a client that is in wide use splits at LF LF, and parses the rest as JSON.
 */

/**
 * `no-transform` keeps proxies from compressing, which would hold back events; nginx buffers a response without the last one.
 */
export function streamHeaders(contentType: string): HeaderList {
  return Object.freeze([
    'Content-Type',
    contentType,
    'Vary',
    'Accept',
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    'no-store, no-transform',
    'X-Accel-Buffering',
    'no',
  ])
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

/** Writes the events of a stream. */
export function openEventStream(sink: Sink, fields: EventFields = graphqlFields): Outlet {
  sink.write(comment)
  return {
    next: (result, id) =>
      sink.write(`${id === undefined ? '' : `id: ${id}\n`}${fields.result(result)}\n\n`),
    // Without data it is no event, but moves the point from which the client resumes.
    position: (id) => sink.write(`id: ${id}\n\n`),
    heartbeat: () => void sink.write(comment),
    end(cause, errors) {
      switch (cause) {
        case 'client-gone':
          return undefined
        case 'slow-reader':
          return sink.cut()
        case 'shutdown':
        case 'too-long':
          // Clients take `complete` for the end of the subscription; without it they connect again.
          sink.write(`retry: ${1000 + Math.floor(Math.random() * 4000)}\n\n`)
          return sink.end()
        case 'complete':
        case 'source-failed':
        case 'client-complete':
        case 'expired':
          sink.write(errors === undefined ? complete : `${fields.errors(errors)}\n\n${complete}`)
          return sink.end()
      }
    },
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

/** Writes the events of a stream. */
export function openMultipartEvents(sink: Sink): Outlet {
  sink.write(delimiter)
  return {
    next: (result) => sink.write(toPart(`{"payload":${result}}`)),
    heartbeat: () => void sink.write(toPart('{}')),
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
