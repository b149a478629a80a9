import { randomUUID } from 'node:crypto'
import { fieldValue, type RequestHead } from 'graphwire'

/** What is known of one request, for its line in the log and for the metrics. */
export interface RequestRecord {
  readonly id: string
  readonly startedAt: number
  /** The template of its path, once it is known: figures by path would have no bound. */
  route: string | undefined
  /** The name of the GraphQL operation. */
  operation: string | undefined
  /** The name of the API key, or the login. */
  key: string | undefined
  login: string | undefined
  /** Whether it has its line in the log, be it answered or left by its client. */
  isOver: boolean
}

/** The records of the requests that are under way, found by their heads. */
export class RequestRecords {
  readonly #records = new WeakMap<RequestHead, RequestRecord>()

  begin(head: RequestHead): RequestRecord {
    const record: RequestRecord = {
      id: requestId(fieldValue(head.headers, 'x-request-id')),
      startedAt: performance.now(),
      route: undefined,
      operation: undefined,
      key: undefined,
      login: undefined,
      isOver: false,
    }
    this.#records.set(head, record)
    return record
  }

  /** Undefined for the requests of another service in the process. */
  of(head: RequestHead): RequestRecord | undefined {
    return this.#records.get(head)
  }
}

/** The id that the client gave, if it can stand in a log as it is; else a new one. */
function requestId(given: string | undefined): string {
  return given !== undefined && safeId.test(given) ? given : randomUUID()
}

const safeId = /^[A-Za-z0-9._-]{1,128}$/
