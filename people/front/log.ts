import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { pino, type DestinationStream, type LoggerOptions } from 'pino'
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
