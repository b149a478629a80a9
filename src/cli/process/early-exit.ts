import { exitCodes } from './exit-codes.js'

/**
 * Makes an error of an exit with 0 before the command is done: only a module of the user can end the process then.
 * Returns the function that says that the command is done.
 */
export function refuseEarlyExit(): () => void {
  const refuse = (code: number): void => {
    if (code !== 0) return
    process.exitCode = exitCodes.configuration.code
    process.stderr.write('graphwire: a module ended the process with process.exit(0).\n')
  }
  process.once('exit', refuse)
  return () => process.off('exit', refuse)
}
