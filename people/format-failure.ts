import { exitCodes } from './exit-codes.js'
import type { Settings } from './settings.js'

/** What went wrong at the start, as a line for the operator, and the exit code. */
export function formatFailure(
  error: unknown,
  { host, port }: Settings,
): { readonly text: string; readonly code: number } {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return {
      text: `port ${port} of ${host} is in use: choose another with --port, or stop who has it.`,
      code: exitCodes.portInUse.code,
    }
  }
  if (code === 'EACCES' || code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
    return {
      text: `cannot listen on ${host}:${port}: ${message}.`,
      code: exitCodes.configuration.code,
    }
  }
  if (isExpected(error)) return { text: error.message, code: exitCodes.configuration.code }
  const trace = error instanceof Error ? error.stack : String(error)
  return { text: `a bug of the service:\n${trace}`, code: exitCodes.bug.code }
}

/** Settings and databases that cannot be used say so in an error of their own. */
function isExpected(error: unknown): error is Error {
  return (
    error instanceof Error &&
    ['StoreUnavailable', 'StoreError', 'ConfigurationError'].includes(error.name)
  )
}
