import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { PinoPretty } from 'pino-pretty'
import type { RequestHead } from 'graphwire'
import type { LogLevel } from '../settings.js'
import type { RequestRecord } from './request-record.js'

/** The log, and how to let its last lines out. */
export interface Log {
  readonly logger: Logger
  flush(): void
}

/** JSON lines on stdout in production; elsewhere lines for people on stderr. */
export function createLog(isProduction: boolean, level: LogLevel): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  }
  if (isProduction) {
    const destination = pino.destination({ dest: 1, sync: false })
    // A log that cannot be written, such as on a full disk, is no reason to stop serving.
    destination.on('error', () => {})
    return { logger: pino(options, destination), flush: () => flushQuietly(destination) }
  }
  const pretty = PinoPretty({
    destination: 2,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    colorize: process.stderr.isTTY,
  }) as DestinationStream
  return { logger: pino(options, pretty), flush: () => {} }
}

/** A destination that was never opened has nothing to flush, and says so by throwing. */
function flushQuietly(destination: { flushSync(): void }): void {
  try {
    destination.flushSync()
  } catch {
    // The reader of the log has gone; there is nobody to tell.
  }
}

/** One line a request: what it was, how it ended, how long it took; never a header or a value. */
export function logRequest(
  logger: Logger,
  head: RequestHead,
  record: RequestRecord,
  status: number,
): void {
  const { id, route, operation, key, login } = record
  const line = {
    id,
    method: head.method,
    route,
    operation,
    status,
    ms: Math.round((performance.now() - record.startedAt) * 100) / 100,
    key,
    login,
  }
  if (status >= 500) logger.error(line, 'request')
  else logger.info(line, 'request')
}
