import { parseArgs } from 'node:util'
import { StoreError, StoreUnavailable, type Store } from '../store/store.js'

/** What a command has of the world. */
export interface CommandIo {
  /** A line of data, to stdout. */
  out(line: string): void
  /** A line of talk, to stderr. */
  err(line: string): void
  readPassword(): Promise<string>
  /** Opens the database of `--db`; without it, the one that the service would open. */
  openStore(database: string | undefined): Promise<Store>
  readonly now?: () => Date
}

/** The flags that were given; every one takes a value. */
type Flags = { readonly [name: string]: string | undefined }

/** What is to be done once the arguments have been understood. */
type Task = (store: Store, io: CommandIo) => Promise<ExitCode>

/** 0 done, 1 not possible, 2 not understood, 3 no database to do it in. */
export type ExitCode = 0 | 1 | 2 | 3

/** One command such as `keys create`. */
export interface Command {
  /** Its arguments as the help shows them. */
  readonly usage: string
  readonly summary: string
  /** The flags it has beside --db and --help. */
  readonly flags: readonly string[]
  /** The one argument that is no flag. */
  readonly argument?: string
  /** Checks the arguments; a text says what is wrong with them. */
  read(flags: Flags, argument: string, io: CommandIo): Task | string | Promise<Task | string>
}

export type Commands = { readonly [name: string]: Command }

/** Runs the command that the arguments name. */
export async function runCommand(
  group: string,
  commands: Commands,
  args: readonly string[],
  io: CommandIo,
): Promise<ExitCode> {
  const [name = '', ...rest] = args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const isHelp = name === '--help' || name === '-h'
    for (const line of formatHelp(group, commands)) {
      if (isHelp) io.out(line)
      else io.err(line)
    }
    if (!isHelp && name !== '') io.err(`There is no command ${group} ${name}.`)
    return isHelp ? 0 : 2
  }
  const usage = `usage: ${group} ${name} ${command.usage}`.trimEnd()
  const parsed = parse(command, rest)
  if (parsed === 'help') {
    io.out(usage)
    io.out(command.summary)
    return 0
  }
  const task =
    typeof parsed === 'string' ? parsed : await command.read(parsed.flags, parsed.argument, io)
  if (typeof task !== 'string') return runTask(task, parsed as Parsed, io)
  io.err(task)
  io.err(usage)
  return 2
}

interface Parsed {
  readonly flags: Flags
  readonly argument: string
}

function parse({ flags, argument }: Command, args: readonly string[]): Parsed | string {
  const named = ['db', ...flags].map((flag) => [flag, { type: 'string' }] as const)
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(named), help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      tokens: true,
    })
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) return `--${twice} is given twice.`
    const { help, ...given } = values
    if (help === true) return 'help'
    const wanted = argument === undefined ? 0 : 1
    if (positionals.length < wanted) return `${argument} is missing.`
    if (positionals.length > wanted) return `Unexpected argument ${positionals[wanted]}.`
    return { flags: given, argument: positionals[0] ?? '' }
  } catch (fault) {
    return (fault as Error).message
  }
}

async function runTask(task: Task, { flags }: Parsed, io: CommandIo): Promise<ExitCode> {
  let store: Store | undefined
  try {
    store = await io.openStore(flags['db'])
    return await task(store, io)
  } catch (fault) {
    if (fault instanceof StoreUnavailable) io.err(`The database is away: ${fault.message}`)
    else if (fault instanceof StoreError) io.err(fault.message)
    else throw fault
    return 3
  } finally {
    await store?.close()
  }
}

function formatHelp(group: string, commands: Commands): readonly string[] {
  return Object.entries(commands).flatMap(([name, { usage, summary }]) => [
    `${group} ${name} ${usage}`.trimEnd(),
    `    ${summary}`,
  ])
}
