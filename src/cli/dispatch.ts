import { suggest } from '../shapes/suggest.js'
import { formatCommandHelp, formatHelp, type Terminal } from './arguments/define-command.js'
import { commands } from './commands.js'
import { exitCodeOf, type CliError } from './process/cli-error.js'
import { exitCodes } from './process/exit-codes.js'

/** Runs the command that the words name, or shows help, and returns the exit code. */
export async function dispatch(
  title: string,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [first, ...rest] = words
  const isHelp = first === 'help' || first === '--help' || first === '-h'
  const name = isHelp ? rest[0] : first
  if (name === undefined || (isHelp && first !== 'help')) {
    const help = formatHelp(title, Object.entries(commands))
    if (isHelp) terminal.out(help)
    else terminal.err(help)
    return isHelp ? exitCodes.ok.code : exitCodes.usage.code
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return report(unknownCommand(name), 'help', terminal)
  if (isHelp || asksForHelp(rest)) {
    terminal.out(formatCommandHelp(name, command))
    return exitCodes.ok.code
  }
  const done = await command.run(rest, terminal)
  return done.ok ? done.value : report(done.reason, `${name} --help`, terminal)
}

function unknownCommand(name: string): CliError {
  const names = [...Object.keys(commands), 'help', '--help', '--version']
  const fault = name.startsWith('-')
    ? `Expected a command before ${name}.`
    : `Unknown command ${JSON.stringify(name)}.`
  return { kind: 'usage', message: `${fault}${suggest(name, names)}` }
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const flags = end < 0 ? words : words.slice(0, end)
  return flags.includes('--help') || flags.includes('-h')
}

function report(error: CliError, topic: string, terminal: Terminal): number {
  const { kind, message } = error
  // Messages about a file begin with `file:line:column`, which editors recognize.
  terminal.err(`${kind === 'configuration' ? '' : 'graphwire: '}${message}\n`)
  if (kind === 'usage') terminal.err(`Run "graphwire ${topic}" for usage.\n`)
  return exitCodeOf(error)
}
