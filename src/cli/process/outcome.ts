import type { Outcome } from '../../shapes/index.js'

/** The exit codes, on which scripts and supervisors may rely, with their text in help. */
export const exitCodes = {
  ok: { code: 0, meaning: 'done, or stopped by a signal after answering every request' },
  findings: { code: 1, meaning: 'a check found problems' },
  usage: { code: 2, meaning: 'invalid arguments, or the target cannot be reached' },
  configuration: { code: 3, meaning: 'invalid schema or configuration' },
  portInUse: { code: 4, meaning: 'the port is in use' },
  cut: { code: 5, meaning: 'stopped by a signal, and something had to be aborted' },
  // sysexits.h calls it EX_SOFTWARE; Node's own 1 would look like findings.
  bug: { code: 70, meaning: 'a bug in graphwire' },
  interrupted: { code: 130, meaning: 'interrupted before it was done, such as by a second signal' },
} as const

/** Why a command fails; the message is for people. */
export interface CliError {
  readonly kind: 'usage' | 'configuration' | 'portInUse'
  readonly message: string
}

/** The outcome of a part of a command; that of a whole command is its exit code. */
export type CliOutcome<Value = number> = Outcome<Value, CliError>

/** The failed outcome. `failure` of the engine would load graphql even for `--help`: 60 ms. */
export function fail(
  kind: CliError['kind'],
  message: string,
): { readonly ok: false; readonly reason: CliError } {
  return { ok: false, reason: { kind, message } }
}

export const requiresUrl = 'requires the URL of a server, such as http://localhost:4000/graphql.'

export function exit(name: keyof typeof exitCodes): CliOutcome {
  return { ok: true, value: exitCodes[name].code }
}

/** A listener of `exit` until the command is done: an exit with 0 before that comes from a module of the user. */
export function refuseEarlyExit(code: number): void {
  if (code !== 0) return
  process.exitCode = exitCodes.configuration.code
  process.stderr.write('graphwire: a module ended the process with process.exit(0).\n')
}
