import { refuseEarlyExit, exitCodes } from './process/exit.js'
import { readPackage } from './process/package.js'
import { screenOf, type Terminal } from './process/terminal.js'

export async function runCli(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { name, version } = readPackage()
    const title = `${name} ${version}`
    if (words[0] === '--version') {
      terminal.out(`${title}\n`)
      return exitCodes.ok.code
    }
    const { dispatch } = await import('./commands.js')
    return await dispatch(title, words, terminal)
  } catch (bug) {
    const stack = bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)
    terminal.err(`graphwire: this is a bug in graphwire, please report it.\n${stack}\n`)
    return exitCodes.bug.code
  }
}

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
    stdout: screenOf(process.stdout, process.env),
    stderr: screenOf(process.stderr, process.env),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
  process.off('exit', refuseEarlyExit)
  // The user's modules may keep the process alive, so it is ended, but only after all output is written.
  process.stdout.write('', () => {
    const lost: NodeJS.ErrnoException | null = process.stdout.errored
    if (lost !== null && lost.code !== 'EPIPE') {
      process.exitCode = exitCodes.usage.code
      process.stderr.write(`graphwire: Cannot write to stdout: ${lost.message}\n`)
    }
    process.stderr.write('', () => process.exit())
  })
}
