import type { Terminal } from './arguments/define-command.js'
import { exitCodes } from './process/exit-codes.js'
import { readPackage } from './process/package.js'

/** Runs the command that the words name and returns the exit code. */
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
