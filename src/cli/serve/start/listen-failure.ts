import { fail } from '../../process/cli-error.js'

/** Describes why the system refuses to listen; undefined for other errors. */
export function listenFailure(
  host: string,
  port: number,
  error: unknown,
): ReturnType<typeof fail> | undefined {
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
