import { exitCodes } from './exit-codes.js'
import type { ServiceSettings } from './settings.js'

interface Failure {
  readonly text: string
  readonly code: number
}

/** A failure as a line for the operator, and the exit code; `settings` are those of the service, if it was starting. */
export function formatFailure(error: unknown, settings: ServiceSettings | undefined): Failure {
  const unheard = settings && whyNotListening(error as NodeJS.ErrnoException, settings)
  if (unheard !== undefined) return unheard
  if (isExpected(error)) return { text: error.message, code: exitCodes.configuration.code }
  const trace = error instanceof Error ? error.stack : String(error)
  return { text: `this is a bug in the service:\n${trace}`, code: exitCodes.bug.code }
}

function whyNotListening(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: ServiceSettings,
): Failure | undefined {
  if (code === 'EADDRINUSE') {
    return {
      text: `port ${port} of ${host} is in use: use --port, or stop the process that is using it.`,
      code: exitCodes.portInUse.code,
    }
  }
  if (code === undefined || !['EACCES', 'ENOTFOUND', 'EADDRNOTAVAIL'].includes(code))
    return undefined
  return {
    text: `cannot listen on ${host}:${port}: ${message}.`,
    code: exitCodes.configuration.code,
  }
}

/** Errors whose message is meant for the operator. */
function isExpected(error: unknown): error is Error {
  return (
    error instanceof Error &&
    ['StoreUnavailable', 'StoreError', 'ConfigurationError'].includes(error.name)
  )
}
