import type { IncomingMessage } from 'node:http'
import { pathOf, type Handler, type HttpResponse, type RequestHead } from 'graphwire'
import { mapReply } from './map-reply.js'
import type { RequestRecord, RequestRecords } from './request-record.js'

/** The handlers of the service by path; what has no path of its own is a resource. */
export interface FrontParts {
  readonly records: RequestRecords
  readonly byPath: { readonly [path: string]: Handler<IncomingMessage> }
  readonly resources: Handler<IncomingMessage>
  /** Gets each request when its answer is known. */
  readonly onAnswer: (
    head: RequestHead<IncomingMessage>,
    record: RequestRecord,
    response: HttpResponse,
  ) => void
}

/** One handler of them all: finds who answers, and gives each request an id and a record. */
export function createFront(parts: FrontParts): Handler<IncomingMessage> {
  const { records, byPath, resources, onAnswer } = parts
  return (head) => {
    const record = records.begin(head)
    const path = pathOf(head.target)
    const own = Object.hasOwn(byPath, path) ? byPath[path] : undefined
    if (own !== undefined) record.route = path
    return mapReply((own ?? resources)(head), (response) => {
      onAnswer(head, record, response)
      return { ...response, headers: [...response.headers, 'X-Request-Id', record.id] }
    })
  }
}
