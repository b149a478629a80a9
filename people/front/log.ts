import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fieldValue, type BugDetails, type RequestHead } from 'graphwire'
import { parseTraceParent } from 'graphwire/http'
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { PinoPretty } from 'pino-pretty'
import type { ServiceSettings } from '../settings.js'

/** The log, and how to write its last lines: JSON lines on stdout in production; elsewhere lines for people on stderr. */
export function createLog(isProduction: boolean, level: ServiceSettings['logLevel']) {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  }
  if (isProduction) {
    // Beyond 16 MiB that wait for a reader, lines are dropped.
    const destination = pino.destination({ dest: 1, sync: false, maxLength: 16 * 1_048_576 })
    // The service continues if the log cannot be written, such as on a full disk.
    destination.on('error', () => {
      // At exit, writing would be retried endlessly.
      destination.flushSync = () => {}
    })
    /** Writes the last lines, if that is possible within a second. */
    const flush = async (): Promise<void> => {
      const ended = once(destination, 'close').catch(() => {})
      destination.end()
      await Promise.race([ended, wait(1_000)])
    }
    return { logger: pino(options, destination), flush }
  }
  const pretty = PinoPretty({
    destination: 2,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    // `hasColors` honors NO_COLOR and TERM=dumb; without a terminal there is no such function.
    colorize: process.stderr.isTTY && process.stderr.hasColors(),
  }) as DestinationStream
  return { logger: pino(options, pretty), flush: async () => {} }
}

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

export type RequestRecords = ReturnType<typeof createRecords>

/** The records of current requests and sockets, by the requests of Node: each operation of a socket has a head of its own. */
export function createRecords(logger: Logger) {
  const records = new WeakMap<object, RequestRecord>()
  /** Undefined for the requests of another service in the process. */
  const of = ({ raw }: RequestHead): RequestRecord | undefined => records.get(raw as object)
  return {
    of,
    begin(head: RequestHead): RequestRecord {
      const record = createRecord(head)
      records.set(head.raw as object, record)
      return record
    },
    note: (head: RequestHead, facts: Noted): void => void Object.assign(of(head) ?? {}, facts),
    /** One line for what has ended: what it was, how it ended, how long it took; never a header or a value. */
    log(
      message: 'request' | 'operation' | 'stream',
      head: RequestHead,
      facts: { readonly [name: string]: unknown; readonly status?: number; readonly ms: number },
    ): void {
      const { id, trace, route, key, login } = of(head) ?? {}
      const ms = Math.round(facts.ms * 100) / 100
      const line = { id, ...trace, route, ...facts, ms, key, login }
      logger[(facts.status ?? 0) >= 500 ? 'error' : 'info'](line, message)
    },
    /** Logs a bug, with the id that the client sees and the trace of the request. */
    onBug: (
      bug: unknown,
      { id, ...where }: BugDetails,
      request?: { readonly head: RequestHead },
    ): void => {
      const trace = request && of(request.head)?.trace
      logger.error({ bug: id, ...trace, ...where, err: bug }, 'bug')
    },
  }
}
