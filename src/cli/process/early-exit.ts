import { exitCodes } from './exit-codes.js'

/** A listener of `exit` until the command is done: before, only a module of the user can end the process with 0. */
export function refuseEarlyExit(code: number): void {
  if (code !== 0) return
  process.exitCode = exitCodes.configuration.code
  process.stderr.write('graphwire: a module ended the process with process.exit(0).\n')
}
