import type { IncomingMessage } from 'node:http'
import { pathOf, problem, type Handler, type HttpResponse, type RequestHead } from 'graphwire'
import { mapReply } from './map-reply.js'
import type { RequestRecord, RequestRecords } from './request-record.js'

/** The handlers of the service by path; what has no path of its own is a resource. */
export interface FrontParts {
  readonly records: RequestRecords
  readonly byPath: { readonly [path: string]: Handler<IncomingMessage> }
  readonly resources: Handler<IncomingMessage>
  /** The template of the path of a resource. */
  readonly findTemplate: (path: string) => string | undefined
  /** Gets each request once, when its answer is known or its client has gone. */
  readonly onEnd: (ended: EndedRequest) => void
  /** Gets what a handler throws, with the id that the client sees. */
  readonly onBug: (bug: unknown, details: { readonly id: string }) => void
}

/** A request that is over. */
interface EndedRequest {
  readonly head: RequestHead<IncomingMessage>
  readonly record: RequestRecord
  readonly status: number
  /** False where the client has gone or the handler has thrown: no trace tells of the end. */
  readonly isTraced: boolean
}

/** As load balancers write it: nobody was there to read the answer. */
const clientGone = 499

/** One handler of them all: finds who answers, and gives each request an id and a record. */
export function createFront(parts: FrontParts): Handler<IncomingMessage> {
  const { records, byPath, resources, findTemplate, onEnd, onBug } = parts
  return (head) => {
    const record = records.begin(head)
    const path = pathOf(head.target)
    const own = Object.hasOwn(byPath, path) ? byPath[path] : undefined
    record.route = own === undefined ? findTemplate(path) : path
    const end = (status: number, isTraced: boolean): void => {
      if (record.isOver) return
      record.isOver = true
      onEnd({ head, record, status, isTraced })
    }
    // Also while its body is on the way, when there will never be an answer.
    head.onClientGone?.(() => end(clientGone, false))
    const finish = (response: HttpResponse, isTraced = true): HttpResponse => {
      end(response.status, isTraced)
      return { ...response, headers: [...response.headers, 'X-Request-Id', record.id] }
    }
    const fail = (bug: unknown): HttpResponse => {
      onBug(bug, { id: record.id })
      return finish(toProblem(record.id), false)
    }
    return mapReply(() => (own ?? resources)(head), finish, fail)
  }
}

function toProblem(id: string): HttpResponse {
  return problem({
    status: 500,
    code: 'INTERNAL_SERVER_ERROR',
    detail: 'The server failed; the id stands in its log.',
    id,
  })
}
