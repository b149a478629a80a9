/** The reasons for which the process ends. */
export type ExitName =
  | 'ok'
  | 'findings'
  | 'usage'
  | 'configuration'
  | 'portInUse'
  | 'cut'
  | 'bug'
  | 'interrupted'

/** The exit codes, on which scripts and supervisors may rely, with their text in help. */
export const exitCodes: {
  readonly [name in ExitName]: { readonly code: number; readonly meaning: string }
} = {
  ok: { code: 0, meaning: 'done, or stopped by a signal after answering every request' },
  findings: { code: 1, meaning: 'a check found problems' },
  usage: {
    code: 2,
    meaning: 'invalid arguments, or the target cannot be reached',
  },
  configuration: { code: 3, meaning: 'invalid schema or configuration' },
  portInUse: { code: 4, meaning: 'the port is in use' },
  cut: {
    code: 5,
    meaning: 'stopped by a signal, and something had to be aborted',
  },
  // sysexits.h calls it EX_SOFTWARE; Node's own 1 would look like findings.
  bug: { code: 70, meaning: 'a bug in graphwire' },
  interrupted: { code: 130, meaning: 'interrupted before it was done, such as by a second signal' },
}
