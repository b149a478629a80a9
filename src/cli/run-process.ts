import { refuseEarlyExit } from './process/early-exit.js'
import { exitCodes } from './process/exit-codes.js'
import { runCli } from './run-cli.js'

/** Runs the command that the arguments of this process name, and ends the process. */
export async function runProcess(): Promise<void> {
  // If the reader of our output ends, keep serving.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

  process.once('beforeExit', () => {
    process.stderr.write('graphwire: a module is waiting for a promise that never settles.\n')
    process.exit(exitCodes.configuration.code)
  })

  process.once('exit', refuseEarlyExit)
  process.exitCode = await runCli(process.argv.slice(2), {
    env: process.env,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
  process.off('exit', refuseEarlyExit)
  // The user's modules may keep the process alive, so it is ended, but only after all output is written.
  process.stdout.write('', () => process.stderr.write('', () => process.exit()))
}
