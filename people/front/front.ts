import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  fieldValue,
  pathOf,
  problem,
  readBody,
  type Body,
  type Handler,
  type HttpResponse,
  type RequestHead,
} from 'graphwire'
import { parseTraceParent } from 'graphwire/http'

/** The handlers of the service by path; all other paths are resources. */
export interface FrontParts {
  readonly records: RequestRecords
  readonly byPath: { readonly [path: string]: Handler<IncomingMessage> }
  readonly resources: Handler<IncomingMessage>
  readonly onBegin: () => void
  /** Called once per request, when its status is known or its client has gone. */
  readonly onEnd: (ended: EndedRequest) => void
  /** Receives what a handler throws, with the id that the client sees. */
  readonly onBug: (bug: unknown, details: { readonly id: string }, request: Request) => void
}

interface Request {
  readonly head: RequestHead<IncomingMessage>
}

/** A request that is over. */
interface EndedRequest {
  readonly head: RequestHead<IncomingMessage>
  readonly record: RequestRecord
  readonly status: number
  /** False if the client has gone or the handler has thrown: then no trace reports the end. */
  readonly isTraced: boolean
}

/** As load balancers log it: the client closed the connection before the response. */
const clientGone = 499

/** Chooses the handler of each request, and gives the request an id and a record. */
export function createFront(parts: FrontParts): Handler<IncomingMessage> {
  const { records, byPath, resources, onBegin, onEnd, onBug } = parts
  return async (request) => {
    const { body, ...head } = request
    const record = records.begin(head)
    onBegin()
    const path = pathOf(head.target)
    const own = Object.hasOwn(byPath, path) ? byPath[path] : undefined
    // The names of assets change with each release, and metrics by route must not.
    record.route = own && path.replace(/^\/assets\/.*/, '/assets')
    const end = (status: number, isTraced: boolean): void => {
      if (record.isOver) return
      record.isOver = true
      onEnd({ head, record, status, isTraced })
    }
    // Also while its body is arriving, since there will never be a response.
    head.onClientGone?.(() => end(clientGone, false))
    const finish = (response: HttpResponse, isTraced = true): HttpResponse => {
      end(response.status, isTraced)
      return { ...response, headers: [...response.headers, 'X-Request-Id', record.id] }
    }
    const hasKey = fieldValue(head.headers, 'idempotency-key') !== undefined
    const asked = hasKey ? { ...request, body: digesting(body, record) } : request
    try {
      return finish(await (own ?? resources)(asked))
    } catch (bug) {
      onBug(bug, { id: record.id }, { head })
      return finish(toProblem(record.id), false)
    }
  }
}

function toProblem(id: string): HttpResponse {
  return problem({
    status: 500,
    code: 'INTERNAL_SERVER_ERROR',
    detail: 'Internal server error; the log of the server has it under this id.',
    id,
  })
}

/** A body whose digest is noted once it is there. */
function digesting(body: Body | undefined, record: RequestRecord): Body {
  return {
    async read(maxBytes) {
      const read = await readBody({ body }, maxBytes)
      // Bytes as they came; Node hosts give nothing else.
      if (!('refused' in read)) record.bodyDigest = digest('json' in read ? read.json : read)
      return read
    },
  }
}

function digest(body: unknown): string {
  const bytes = body instanceof Uint8Array ? body : JSON.stringify(body)
  return createHash('sha256').update(bytes).digest('base64url')
}

/** The data of one request for its log line and the metrics. */
export interface RequestRecord {
  readonly id: string
  /** The trace of the caller, or a new one, and the span of this request: as OpenTelemetry names them in logs. */
  readonly trace: { readonly trace_id: string; readonly span_id: string }
  readonly startedAt: number
  /** The template of its path, undefined for a path of no route: metrics by path would have no bound. */
  route: string | undefined
  /** The name of the GraphQL operation. */
  operation: string | undefined
  /** The name of the API key, or the login. */
  key: string | undefined
  login: string | undefined
  /** A digest of its body, if it has an `Idempotency-Key`. */
  bodyDigest: string | undefined
  /** What became of its key, if it has one. */
  idempotency: string | undefined
  /** Whether it has been logged, after its response or after its client has disconnected. */
  isOver: boolean
}

/** The records of current requests and sockets, by the requests of Node: each operation of a socket has a head of its own. */
export class RequestRecords {
  readonly #records = new WeakMap<object, RequestRecord>()

  begin(head: RequestHead<IncomingMessage>): RequestRecord {
    const record: RequestRecord = {
      id: requestId(fieldValue(head.headers, 'x-request-id')),
      trace: {
        trace_id: parseTraceParent(fieldValue(head.headers, 'traceparent'))?.traceId ?? digits(32),
        span_id: digits(16),
      },
      startedAt: performance.now(),
      route: undefined,
      operation: undefined,
      key: undefined,
      login: undefined,
      bodyDigest: undefined,
      idempotency: undefined,
      isOver: false,
    }
    this.#records.set(head.raw, record)
    return record
  }

  /** Undefined for the requests of another service in the process. */
  of(head: RequestHead): RequestRecord | undefined {
    return this.#records.get(head.raw as object)
  }
}

/** The id from the client, if it is safe in a log; otherwise a new one. */
function requestId(idFromClient: string | undefined): string {
  return idFromClient !== undefined && safeId.test(idFromClient) ? idFromClient : randomUUID()
}

/** Random hexadecimal digits, at most 32. */
function digits(count: number): string {
  return randomUUID().replaceAll('-', '').slice(-count)
}

const safeId = /^[A-Za-z0-9._-]{1,128}$/
