import type { Outcome } from '../index.js'
import { exitCodeOf, fail, type CliError } from './process/cli-error.js'
import type { Command, Terminal } from './arguments/define-command.js'
import { exitCodes } from './process/exit-codes.js'
import { suggest } from '../shapes/suggest.js'
import { switchType, type AnyFlagTable, type Flag } from './arguments/flag.js'

/** Every command by name, loaded when it is needed; `help` and `--version` are handled here. */
const commands: { readonly [name: string]: () => Promise<Command> } = {
  serve: async () => (await import('./serve/serve-command.js')).serveCommand,
  conform: async () => (await import('./conform/conform-command.js')).conformCommand,
  documents: async () => (await import('./documents/documents-command.js')).documentsCommand,
  explain: async () => (await import('./explain/explain-command.js')).explainCommand,
  doctor: async () => (await import('./doctor/doctor-command.js')).doctorCommand,
  init: async () => (await import('./init/init-command.js')).initCommand,
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
  const loading = Object.entries(commands).map(async ([name, load]) => ({
    name,
    command: await load(),
  }))
  return formatHelp((await version()).trim(), await Promise.all(loading))
}

async function helpOf(name: string, terminal: Terminal): Promise<Outcome<number, CliError>> {
  const command = await find(name)
  if (!command.ok) return command
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

/** A command with its name. */
interface NamedCommand {
  readonly name: string
  readonly command: Command
}

/** The help of all commands. */
function formatHelp(title: string, named: readonly NamedCommand[]): string {
  return sections([
    [`${title}: GraphQL over HTTP (September 2026), exactly as the specification says.`],
    ['Commands', ...named.map(({ name, command }) => row(name, command.summary))],
    [
      'More',
      row('help [command]', 'Shows this help, or the help of one command.'),
      row('--version', 'Shows the version.'),
    ],
    ...named.flatMap(describe),
    describeExitCodes(),
  ])
}

/** The help of one command. */
function formatCommandHelp(named: NamedCommand): string {
  return sections([[named.command.summary], ...describe(named), describeExitCodes()])
}

type Section = readonly string[]

function describe({ name, command }: NamedCommand): readonly Section[] {
  return [
    ['Usage', ...command.usage.map((usage) => `  graphwire ${name} ${usage}`)],
    ...describeFlags(command.flags),
  ]
}

function describeFlags(flags: AnyFlagTable): readonly Section[] {
  const groups = new Map<string, string[]>()
  for (const [name, flag] of Object.entries(flags)) {
    const lines = groups.get(flag.group) ?? [flag.group]
    lines.push(row(spelling(name, flag), flag.env.join(', ')))
    lines.push(...wrap(`${flag.doc} Default: ${describeDefault(flag)}.`))
    groups.set(flag.group, lines)
  }
  return [...groups.values()]
}

function spelling(name: string, { type, default: initial }: Flag<unknown>): string {
  if (type !== switchType) return `--${name} <${type.placeholder}>`
  return `${initial === false ? '--' : '--[no-]'}${name} (switch)`
}

/** The default of a flag, as help and the docs show it. */
export function describeDefault({ default: initial, defaultText }: Flag<unknown>): string {
  if (defaultText !== undefined) return defaultText
  if (initial === undefined) return 'none'
  if (typeof initial === 'boolean') return initial ? 'on' : 'off'
  return typeof initial === 'string' ? initial : JSON.stringify(initial)
}

/** Lines of at most 100 columns, indented. */
function wrap(text: string): readonly string[] {
  const lines: string[] = []
  let line = '     '
  for (const word of text.split(' ')) {
    if (line.length + word.length >= 100) {
      lines.push(line)
      line = '     '
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

function describeExitCodes(): Section {
  return [
    'Exit codes',
    ...Object.values(exitCodes).map(({ code, meaning }) => row(String(code), meaning)),
  ]
}

function row(term: string, text: string): string {
  return `  ${term.padEnd(29)} ${text}`.trimEnd()
}

function sections(list: readonly Section[]): string {
  return `${list.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
