import { fail } from '../../process/cli-error.js'
import type { Plan } from '../flags/plan.js'

/** Describes why the system refuses to listen; undefined for other errors. */
export function listenFailure(plan: Plan, error: unknown): ReturnType<typeof fail> | undefined {
  const [host, port] = [plan.host.value, plan.port.value]
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return fail(
      'port-in-use',
      `Port ${port} of ${host} is in use: use --port, or stop the process that is using it.`,
    )
  }
  // Only errors of the system have a `syscall`.
  if (syscall === undefined) return undefined
  return fail('configuration', `Cannot listen on port ${port} of ${host}: ${message}.`)
}
