import { fail } from '../cli-error.js'

/** Why the system does not let us listen; undefined where the error is not of its making. */
export function listenFailure(
  host: string,
  port: number,
  error: unknown,
): ReturnType<typeof fail> | undefined {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return fail(
      'port-in-use',
      `Port ${port} of ${host} is in use: stop what listens there, or choose another by --port.`,
    )
  }
  // Only what the system refused has a call.
  if (syscall === undefined) return undefined
  return fail('configuration', `Cannot listen on port ${port} of ${host}: ${message}.`)
}
