/** The exit codes, on which scripts and supervisors may rely, with their text in help. */
export const exitCodes = {
  ok: { code: 0, meaning: 'done, or stopped by a signal after answering every request' },
  findings: { code: 1, meaning: 'a check found problems' },
  usage: { code: 2, meaning: 'invalid arguments, or the target or stdout cannot be used' },
  configuration: { code: 3, meaning: 'invalid schema or configuration' },
  portInUse: { code: 4, meaning: 'the port is in use' },
  cut: { code: 5, meaning: 'stopped by a signal, and something had to be aborted' },
  // sysexits.h calls it EX_SOFTWARE; Node's own 1 would look like findings.
  bug: { code: 70, meaning: 'a bug in graphwire' },
  interrupted: { code: 130, meaning: 'interrupted before it was done, such as by a second signal' },
} as const

/** How a command ends. */
export type Exit = keyof typeof exitCodes

/** Why a command cannot do its work, for people. It is thrown: only the top of the binary deals with it. */
export class CliError extends Error {
  readonly kind: 'usage' | 'configuration' | 'portInUse'

  constructor(kind: CliError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export function fail(kind: CliError['kind'], message: string): never {
  throw new CliError(kind, message)
}

/** The result of work whose errors are mistakes of the user. */
export async function orFail<Value>(
  kind: CliError['kind'],
  work: () => Value | Promise<Value>,
  describe: (error: unknown) => string = (error) => (error as Error).message,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    return fail(kind, describe(error))
  }
}

export const requiresUrl = 'requires the URL of a server, such as http://localhost:4000/graphql.'

/** A listener of `exit` until the command is done: an exit with 0 before that comes from a module of the user. */
export function refuseEarlyExit(code: number): void {
  if (code !== 0) return
  process.exitCode = exitCodes.configuration.code
  process.stderr.write('graphwire: a module ended the process with process.exit(0).\n')
}
