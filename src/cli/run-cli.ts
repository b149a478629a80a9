import type { Outcome } from '../index.js'
import { exitCodeOf, fail, type CliError } from './process/cli-error.js'
import type { Command, Terminal } from './arguments/define-command.js'
import { exitCodes } from './process/exit-codes.js'
import { suggest } from '../shapes/suggest.js'

/** Every command by name, loaded when it is needed; `help` and `--version` are handled here. */
const commands: { readonly [name: string]: () => Promise<Command> } = {
  serve: async () => (await import('./serve/serve-command.js')).serveCommand,
  conform: async () => (await import('./conform/conform-command.js')).conformCommand,
}

/** Runs the command that the words name and returns the exit code. */
export async function runCli(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const [first, ...rest] = words
    if (first === undefined) {
      terminal.err(await help())
      return exitCodes.usage.code
    }
    const done = await dispatch(first, rest, terminal)
    if (done.ok) return done.value
    report(done.reason, Object.hasOwn(commands, first) ? `${first} --help` : 'help', terminal)
    return exitCodeOf(done.reason)
  } catch (bug) {
    terminal.err(`graphwire: this is a bug in graphwire, please report it.\n${stackOf(bug)}\n`)
    return exitCodes.bug.code
  }
}

function report({ kind, message }: CliError, topic: string, terminal: Terminal): void {
  // Messages about a file begin with `file:line:column`, which editors recognize.
  terminal.err(`${kind === 'configuration' ? '' : 'graphwire: '}${message}\n`)
  if (kind === 'usage') terminal.err(`Run "graphwire ${topic}" for usage.\n`)
}

async function dispatch(
  first: string,
  rest: readonly string[],
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  if (first === '--version') return print(await version(), terminal)
  if (first === '--help' || first === '-h') return print(await help(), terminal)
  if (first === 'help') {
    const [name] = rest
    return name === undefined ? print(await help(), terminal) : helpOf(name, terminal)
  }
  const command = await find(first)
  if (!command.ok) return command
  return asksForHelp(rest) ? helpOf(first, terminal) : command.value.run(rest, terminal)
}

async function find(name: string): Promise<Outcome<Command, CliError>> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load !== undefined) return { ok: true, value: await load() }
  const commandNames = [...Object.keys(commands), 'help', '--help', '--version']
  return fail(
    'usage',
    name.startsWith('-')
      ? `Expected a command before ${name}.${suggest(name, commandNames)}`
      : `Unknown command ${JSON.stringify(name)}.${suggest(name, commandNames)}`,
  )
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const flags = end < 0 ? words : words.slice(0, end)
  return flags.includes('--help') || flags.includes('-h')
}

async function help(): Promise<string> {
  const { formatHelp } = await import('./arguments/format-help.js')
  const loading = Object.entries(commands).map(async ([name, load]) => ({
    name,
    command: await load(),
  }))
  return formatHelp((await version()).trim(), await Promise.all(loading))
}

async function helpOf(name: string, terminal: Terminal): Promise<Outcome<number, CliError>> {
  const command = await find(name)
  if (!command.ok) return command
  const { formatCommandHelp } = await import('./arguments/format-help.js')
  return print(formatCommandHelp({ name, command: command.value }), terminal)
}

async function version(): Promise<string> {
  const { readVersion } = await import('./process/version.js')
  return `${readVersion()}\n`
}

function print(text: string, terminal: Terminal): Outcome<number, CliError> {
  terminal.out(text)
  return { ok: true, value: exitCodes.ok.code }
}

function stackOf(bug: unknown): string {
  return bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)
}
