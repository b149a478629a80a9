import { randomUUID } from 'node:crypto'
import { fieldValue, type BugDetails, type RequestHead } from 'graphwire'
import { parseTraceParent } from 'graphwire/http'
import type { Logger } from 'pino'

/** The data of one request for its log line and the metrics. */
export type RequestRecord = ReturnType<typeof createRecord>

interface Noted {
  /** The template of its path, undefined for a path of no route: metrics by path would have no bound. */
  route?: string | undefined
  operation?: string | undefined
  /** The name of the API key, or the login. */
  key?: string | undefined
  login?: string | undefined
  /** What became of its `Idempotency-Key`, if it has one. */
  idempotency?: string | undefined
}

function createRecord({ headers }: RequestHead) {
  const noted: Noted = {}
  const sentId = fieldValue(headers, 'x-request-id') ?? ''
  return {
    ...noted,
    /** That of the client, if it is safe in a log. */
    id: /^[A-Za-z0-9._-]{1,128}$/.test(sentId) ? sentId : randomUUID(),
    /** The trace of the caller, or a new one, and the span of this request: as OpenTelemetry names them in logs. */
    trace: {
      trace_id:
        parseTraceParent(fieldValue(headers, 'traceparent'))?.traceId ??
        randomUUID().replaceAll('-', ''),
      span_id: randomUUID().replaceAll('-', '').slice(-16),
    },
    startedAt: performance.now(),
    /** Whether it has been logged, after its response or after its client has disconnected. */
    isOver: false,
  }
}

/** The records of current requests and sockets, by the requests of Node: each operation of a socket has a head of its own. */
export class RequestRecords {
  readonly #records = new WeakMap<object, RequestRecord>()
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  begin(head: RequestHead): RequestRecord {
    const record = createRecord(head)
    this.#records.set(head.raw as object, record)
    return record
  }

  /** Undefined for the requests of another service in the process. */
  of(head: RequestHead): RequestRecord | undefined {
    return this.#records.get(head.raw as object)
  }

  note(head: RequestHead, facts: Noted): void {
    Object.assign(this.of(head) ?? {}, facts)
  }

  /** One line for what has ended: what it was, how it ended, how long it took; never a header or a value. */
  log(
    message: 'request' | 'operation' | 'stream',
    head: RequestHead,
    facts: { readonly [name: string]: unknown; readonly status?: number; readonly ms: number },
  ): void {
    const { id, trace, route, key, login } = this.of(head) ?? {}
    const ms = Math.round(facts.ms * 100) / 100
    const line = { id, ...trace, route, ...facts, ms, key, login }
    this.#logger[(facts.status ?? 0) >= 500 ? 'error' : 'info'](line, message)
  }

  /** Logs a bug, with the id that the client sees and the trace of the request. */
  readonly onBug = (
    bug: unknown,
    { id, ...where }: BugDetails,
    request?: { readonly head: RequestHead },
  ): void => {
    const trace = request && this.of(request.head)?.trace
    this.#logger.error({ bug: id, ...trace, ...where, err: bug }, 'bug')
  }
}
