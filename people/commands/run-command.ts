import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import {
  formatHelp,
  readArguments,
  spellingOf,
  type Environment,
  type Flag,
  type FlagTable,
} from '../command-line.js'
import { exitCodes } from '../exit-codes.js'
import { settingTable } from '../settings.js'
import { openStore } from '../store/open-store.js'
import { StoreError, StoreUnavailable } from '../store/store.js'
import type { Store } from '../store/open-store.js'

/** What a command can do outside the store. */
export interface CommandIo {
  readonly env: Environment
  /** Writes a line of data to stdout. */
  readonly out: (line: string) => void
  /** Writes a message to stderr. */
  readonly err: (line: string) => void
  readonly readPassword: () => Promise<string>
  readonly openStore: (database: string) => Promise<Store>
}

/** What a command works with. */
interface Work extends CommandIo {
  /** Its only argument, if it has one. */
  readonly argument: string
  /** Opens the database; it is closed when the command has ended. */
  readonly store: () => Promise<Store>
  /** Prints what was done, or why it was not. */
  readonly tell: (isDone: boolean, done: string, refusal: string) => number
  /** Prints rows with aligned columns. */
  readonly table: (rows: readonly (readonly string[])[]) => number
}

/** The exit code; a text says what is wrong with the arguments. */
type Done = Promise<number | string>

/** A command such as `keys create`, without the types of its own flags. */
export interface Command {
  readonly summary: string
  readonly flags: { readonly [name: string]: Flag<unknown> }
  /** The name of its only argument, if it has one. */
  readonly argument: string | undefined
  run(values: { readonly db: string }, work: Work): Done
}

/** `--db` of all commands: the database that the service would open. */
const db: Flag<string> = { ...settingTable.database, placeholder: 'path|url' }

/** Defines a command with its flags besides --db. */
export function defineCommand<Values>(
  summary: string,
  flags: FlagTable<Values>,
  run: (values: Values & { readonly db: string }, work: Work) => Done,
  argument?: string,
): Command {
  // Its values are read by its own flags.
  return { summary, flags: { ...flags, db }, argument, run }
}

/** Commands by name; those of a group have a second word. */
export interface Commands {
  readonly [name: string]: Command
}

/** Runs the command that the arguments name: `backup`, or `keys list`, whose group is `keys`. */
export async function runCommand(
  commands: Commands,
  args: readonly string[],
  io: CommandIo,
): Promise<number> {
  const [group = '', second = ''] = args
  const name = Object.hasOwn(commands, group) ? group : `${group} ${second}`
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const named = Object.entries(commands).filter(([one]) =>
    command === undefined ? one.startsWith(`${group} `) : one === name,
  )
  if (command === undefined && !['--help', '-h'].includes(second)) {
    const names = named.map(([one]) => one.slice(group.length + 1)).join(', ')
    return refuse(io, `${group} requires a command: ${names}.`, group)
  }
  if (command === undefined) return printHelp(io, `The commands of ${group}.`, named)
  const { flags, argument, summary } = command
  const rest = args.slice(name.split(' ').length)
  const words = readArguments<{ db: string }>(
    rest,
    flags as FlagTable<{ db: string }>,
    io.env,
    argument === undefined ? [] : [argument],
  )
  if (!words.ok) return refuse(io, words.reason, name)
  if (typeof words.value === 'string') return printHelp(io, summary, named)
  const { values, positionals } = words.value
  let store: Store | undefined
  try {
    const end = await command.run(values, {
      ...io,
      argument: positionals[0] ?? '',
      store: async () => (store = await io.openStore(values.db)),
      tell(isDone, done, refusal) {
        io.err(isDone ? done : refusal)
        return isDone ? exitCodes.ok.code : exitCodes.refused.code
      },
      table: (rows) => printTable(io, rows),
    })
    return typeof end === 'string' ? refuse(io, end, name) : end
  } catch (fault) {
    if (fault instanceof StoreUnavailable) io.err(`The database is not available: ${fault.message}`)
    else if (fault instanceof StoreError) io.err(fault.message)
    else throw fault
    return exitCodes.configuration.code
  } finally {
    await store?.close()
  }
}

function printTable({ out }: CommandIo, rows: readonly (readonly string[])[]): number {
  const widthOf = (at: number): number => Math.max(...rows.map((cells) => cells[at]?.length ?? 0))
  const widths = (rows[0] ?? []).map((_, at) => widthOf(at))
  for (const cells of rows) {
    const padded = cells.map((cell, at) => cell.padEnd(widths[at] ?? 0))
    out(padded.join('  ').trimEnd())
  }
  return exitCodes.ok.code
}

function refuse(io: CommandIo, fault: string, place: string): number {
  io.err(`${fault}\nRun "${place} --help" for usage.`)
  return exitCodes.usage.code
}

function printHelp(
  io: CommandIo,
  summary: string,
  commands: readonly (readonly [name: string, command: Command])[],
): number {
  const usage = commands.map(([name, { summary: doc, argument, flags }]) => {
    const words = Object.values(flags).map((flag) =>
      flag.isRequired ? spellingOf(flag) : `[${spellingOf(flag)}]`,
    )
    return [[name, ...(argument ? [`<${argument}>`] : []), ...words].join(' '), doc] as const
  })
  const flags = commands.flatMap(([, command]) => Object.values(command.flags))
  io.out(formatHelp(summary, usage, [...new Map(flags.map((one) => [one.flag, one])).values()]))
  return exitCodes.ok.code
}

/** The terminal of this process. */
export function createTerminal(env: Environment): CommandIo {
  return {
    env,
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    readPassword,
    async openStore(database) {
      if (database !== ':memory:') return openStore({ database })
      throw new StoreError(
        'A :memory: database belongs to one process. Use --db to name the database of the service.',
      )
    },
  }
}

/** Reads a password: piped text without its last line break, or a typed line that is not shown. */
export async function readPassword(): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, '')
  // A raw terminal does not echo, and readline without an output does not either.
  const lines = createInterface({ input: stdin, terminal: true })
  stderr.write('Password: ')
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    // Also by Ctrl-C and Ctrl-D, which leave the password empty.
    lines.once('close', () => {
      stderr.write('\n')
      resolve('')
    })
  })
}
